#define WORDS "wake up"
