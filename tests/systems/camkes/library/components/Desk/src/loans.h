#pragma once

void loans_set(int number, int copies);
int loans_take(int number);
int loans_left(int number);
int loans_return(int number);
