/* With its length in front, the longest message that there can be. */
#pragma once

#include <camkes.h>
#include <fusee.h>

#define LONGEST (FUSEE_MESSAGE_BYTES - sizeof(fusee_word))
