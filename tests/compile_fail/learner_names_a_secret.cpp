// A learner is public: of its headers none reaches a Secret, so that it cannot so much as name one.
// refused: 'Secret' in namespace 'tacit::privacy' does not name a template type
// refused: no template named 'Secret' in namespace 'tacit::privacy'
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/learner.hpp"

using namespace tacit;

#ifdef MUST_NOT_COMPILE
void learn(double& total, const privacy::Secret<double>& outcome);
#else
void learn(double& total, const privacy::Released<double>& outcome);
#endif
