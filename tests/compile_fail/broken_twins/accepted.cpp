// Nothing here is refused, so the check must complain.
// refused: private within this context
// refused: is a private member
struct Open {
  int value = 0;
};

int main() {
#ifdef MUST_NOT_COMPILE
  return Open{}.value;
#endif
}
