/* CAmkES components include this for the kernel's configuration; there is none here. */
#pragma once
