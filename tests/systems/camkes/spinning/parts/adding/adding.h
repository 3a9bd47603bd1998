#pragma once

int add(int left, int right);
