// A mistyped name is refused too, but proves nothing about privacy, so the check must complain.
// refused: private within this context
// refused: is a private member
class Closed {
  int value = 0;
};

int main() {
#ifdef MUST_NOT_COMPILE
  return Closed{}.valeu;
#endif
}
