/* Code coloured at build: spans of class k (keyword), s (string), c (comment), n (number); in console, p (prompt),
 * in (typed) and out (printed). */
#ifndef RUNQ_TEXT_HIGHLIGHT_H
#define RUNQ_TEXT_HIGHLIGHT_H

#include "text/html.h"

/* c sh console python csharp text sql json make; ends with an empty slice. */
extern const struct str highlight_languages[];

bool highlight_knows(struct str language);
/* The text as markup; an unknown language is written plain. Linear in the text. */
void highlight_write(struct html_out *w, struct str language, struct str code);

#endif
