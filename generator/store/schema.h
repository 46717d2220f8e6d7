/* The schema as numbered migrations. user_version counts the ones applied. */
#ifndef RUNQ_STORE_SCHEMA_H
#define RUNQ_STORE_SCHEMA_H

enum {
	SCHEMA_APPLICATION_ID = 0x72756e71, /* "runq" */
	SCHEMA_VERSION = 1,
};

/* What leads from version i to i + 1; ends with NULL. A released step is never changed: a new one is added. */
extern const char *const schema_steps[];

/* TEMP tables and views of a connection, the author's surface (see store.h); ends with NULL. */
extern const char *const schema_temp[];
/* The views an author's SQL may name, ending with NULL. */
extern const char *const schema_public_views[];

#endif
