// Which policies may be served, and under which guarantee: only those whose computed guarantee is private, with exact noise from
// secure randomness, and whose releases are each of one slot alone or come from users' devices.
#pragma once

#include "tacit/policies/catalogue.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service {

/// As the catalogue's parts are asked: the plain pace, for as long as it takes.
policies::Setting setting_of(const Spec& spec);
/// Throws Problem (422) for a policy that cannot be served, with the reason and the nearest that can.
const policies::Entry& servable(const Spec& spec);
/// Of one decision's record.
privacy::Guarantee guarantee_of(const policies::Entry& entry, const policies::Setting& setting,
                                const Spec& spec);

}  // namespace tacit::service
