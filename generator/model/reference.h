/* Figures that others have reported, and constants of the kernel: the CSV files of data/reference. A file speaks of one source and at
 * most one machine. What is read lives in the arena passed. */
#ifndef RUNQ_MODEL_REFERENCE_H
#define RUNQ_MODEL_REFERENCE_H

#include "base/diag.h"
#include "model/probe_info.h"

enum reference_kind { REFERENCE_MEASURED, REFERENCE_DERIVED, REFERENCE_DOCUMENTED, REFERENCE_KIND_MAX };
extern const char *const reference_kind_names[REFERENCE_KIND_MAX]; /* "measured" "derived" "documented" */

/* A number as it stands in the file, exactly: digits / 10^decimals in the stored unit. */
struct reference_number {
	int64_t digits;
	int decimals;
	bool given;
};

struct reference_row {
	enum reference_kind kind;
	struct str label; /* "topic: what was measured, which quantity" */
	bool on_machine; /* said of the file's machine; else of none, as a manual's */
	enum run_unit unit;
	struct reference_number min, median, max;
	int64_t n; /* 0: not said */
	struct str key; /* of our own case that is the same thing, without a default metric; empty if there is none */
	struct str note; /* a correction begins with "Corrected: " */
	struct pos at;
};

struct reference_constant {
	struct str name;
	enum run_unit unit;
	struct reference_number value;
	struct str kernel, file, note; /* versions it holds for; where it stands */
	struct pos at;
};

enum { REFERENCE_BYTES_MAX = 256 * 1024 };
#define REFERENCE_CONSTANTS "kernel-constants" /* source and machine of the file of constants */

/* The header row says which of the two it is:
 *   source,machine,kind,label,unit,min,median,max,n,key,note      name,unit,value,kernel,file,note */
struct reference {
	struct str source, machine; /* both REFERENCE_CONSTANTS for constants */
	struct reference_row *rows;
	ptrdiff_t n_rows;
	struct reference_constant *constants;
	ptrdiff_t n_constants;
	bool is_constants, ok;
};

/* Errors at their cell: what is no CSV, unknown headers, kinds, units and keys (with the nearest), a number that is no plain decimal of
 * at most 15 digits, min above median or max below it, a key twice, a key whose unit is another or without machine or median, a row
 * without number and note, a second source or machine. */
struct reference reference_read(struct arena *a, struct diag *d, struct pos start, struct str text);

double reference_natural(struct reference_number v, enum run_unit unit); /* rounded once; NaN when not given */
struct str reference_unit_name(enum run_unit unit); /* of the natural value: ns count bytes fraction ratio */
/* Every digit, with an SI prefix: "6.0138 µs", "90.24 %", "1.062", "33". Empty when not given. */
struct str reference_text(struct arena *a, struct reference_number v, enum run_unit unit);

#endif
