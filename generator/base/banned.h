/* Force-included: functions that lose bounds, errors, reentrancy or the shell's quoting do not compile. */
#ifndef RUNQ_BASE_BANNED_H
#define RUNQ_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h> /* declares gettimeofday; signal.h includes it on Arm */
#include <time.h>

#pragma GCC poison strcpy strncpy strcat strncat sprintf vsprintf strtok gets
#pragma GCC poison gmtime localtime ctime asctime atoi atol atof atoll system popen gettimeofday

#endif
