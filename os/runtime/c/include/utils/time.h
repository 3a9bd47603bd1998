/* Units of time. */
#pragma once

#include <stdint.h>

#define MS_IN_S 1000
#define US_IN_S 1000000
#define US_IN_MS 1000
#define NS_IN_S 1000000000
#define NS_IN_MS 1000000
#define NS_IN_US 1000
