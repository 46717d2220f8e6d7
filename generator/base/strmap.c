#include "base/strmap.h"

static struct str_map_slot *slot_of(const struct str_map *m, struct str name)
{
	ptrdiff_t mask = m->size - 1;
	ptrdiff_t i = (ptrdiff_t)(str_hash(name) & (uint64_t)mask);

	while (m->slots[i].name.ptr && !str_eq(m->slots[i].name, name))
		i = (i + 1) & mask;
	return &m->slots[i];
}

static void grow(struct str_map *m, struct arena *a)
{
	struct str_map more = {.n = m->n, .size = m->size ? 2 * m->size : 64};

	more.slots = ARENA_NEW(a, struct str_map_slot, more.size);
	for (ptrdiff_t i = 0; i < m->size; i++)
		if (m->slots[i].name.ptr)
			*slot_of(&more, m->slots[i].name) = m->slots[i];
	*m = more;
}

bool str_map_put(struct str_map *m, struct arena *a, struct str name, ptrdiff_t value)
{
	/* At most half full, so that a search stays short and always ends at a free slot. */
	if (2 * (m->n + 1) > m->size)
		grow(m, a);
	struct str_map_slot *slot = slot_of(m, name);
	if (slot->name.ptr)
		return false;
	*slot = (struct str_map_slot){{name.ptr ? name.ptr : "", name.len}, value};
	m->n++;
	return true;
}

ptrdiff_t str_map_get(const struct str_map *m, struct str name)
{
	const struct str_map_slot *slot = m->size ? slot_of(m, name) : NULL;

	return slot && slot->name.ptr ? slot->value : -1;
}
