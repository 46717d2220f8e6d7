#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/sha256.h"

static void assert_digest(const unsigned char *digest, const char *want)
{
	char hex[SHA256_HEX + 1] = "";

	sha256_hex(digest, SHA256_BYTES, hex);
	assert_string_equal(hex, want);
}

/* FIPS 180-4 examples and NIST's long message. */
static void gives_the_published_digests(void **state)
{
	static const struct {
		const char *text, *digest;
	} cases[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopq"
		 "rstnopqrstu",
			"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
	};
	unsigned char digest[SHA256_BYTES];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		sha256_of(str_of(cases[i].text), digest);
		assert_digest(digest, cases[i].digest);
	}
	struct sha256 h;
	sha256_init(&h);
	for (int i = 0; i < 100000; i++)
		sha256_add(&h, STR("aaaaaaaaaa"));
	sha256_end(&h, digest);
	assert_digest(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	(void)state;
}

/* Every length around the block's, in two pieces cut anywhere, equals the whole. */
static void pieces_equal_the_whole(void **state)
{
	char text[200];
	unsigned char whole[SHA256_BYTES], pieces[SHA256_BYTES];

	for (int i = 0; i < (int)sizeof text; i++)
		text[i] = (char)(i * 7);
	for (int n = 0; n <= (int)sizeof text; n++) {
		sha256_of((struct str){text, n}, whole);
		for (int cut = 0; cut <= n; cut += 1 + n / 16) {
			struct sha256 h;
			sha256_init(&h);
			sha256_add(&h, (struct str){text, cut});
			sha256_add(&h, (struct str){text + cut, n - cut});
			sha256_end(&h, pieces);
			assert_memory_equal(whole, pieces, SHA256_BYTES);
		}
	}
	(void)state;
}

static void writes_part_of_a_digest(void **state)
{
	char hex[5] = "";

	sha256_hex((const unsigned char *)"\x00\xaf\xff", 2, hex);
	assert_string_equal(hex, "00af");
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_published_digests),
		cmocka_unit_test(pieces_equal_the_whole),
		cmocka_unit_test(writes_part_of_a_digest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
