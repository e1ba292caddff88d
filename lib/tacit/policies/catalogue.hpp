// Every policy, by name. The list of recipes is explicit: self-registration vanishes from static
// libraries. Adding a policy is one line here (CONTRIBUTING.md, "How to add a policy").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacit/policies/card.hpp"
#include "tacit/policies/recipes/adap.hpp"
#include "tacit/policies/recipes/anytime_lazy_ucb.hpp"
#include "tacit/policies/recipes/cascade_as_published.hpp"
#include "tacit/policies/recipes/cascade_baselines.hpp"
#include "tacit/policies/recipes/cascade_dp.hpp"
#include "tacit/policies/recipes/cascade_ldp.hpp"
#include "tacit/policies/recipes/combinatorial_baselines.hpp"
#include "tacit/policies/recipes/corrupted_feedback.hpp"
#include "tacit/policies/recipes/cucb_dp.hpp"
#include "tacit/policies/recipes/cucb_ldp.hpp"
#include "tacit/policies/recipes/cucb_ldp_gaussian.hpp"
#include "tacit/policies/recipes/cucb_ldp_gaussian_as_published.hpp"
#include "tacit/policies/recipes/dp_exp3.hpp"
#include "tacit/policies/recipes/dp_klucb_imed.hpp"
#include "tacit/policies/recipes/dp_se.hpp"
#include "tacit/policies/recipes/dp_ucb_int.hpp"
#include "tacit/policies/recipes/full_information_baselines.hpp"
#include "tacit/policies/recipes/kl_ucb.hpp"
#include "tacit/policies/recipes/lazy_dp_ts.hpp"
#include "tacit/policies/recipes/lazy_kl_sets.hpp"
#include "tacit/policies/recipes/ldp_ucb.hpp"
#include "tacit/policies/recipes/matroid_lazy.hpp"
#include "tacit/policies/recipes/mgf.hpp"
#include "tacit/policies/recipes/noisy_leader.hpp"
#include "tacit/policies/recipes/thompson.hpp"
#include "tacit/policies/recipes/tree.hpp"
#include "tacit/policies/recipes/ucb1.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies {

template <class... Recipe>
struct RecipeList {};

using Recipes = RecipeList<                  //
    recipes::Ucb1,                           //
    recipes::KlUcb,                          //
    recipes::ThompsonBeta,                   //
    recipes::ThompsonGaussian,               //
    recipes::AnytimeLazyUcb,                 //
    recipes::LazyDpTs,                       //
    recipes::DpSe,                           //
    recipes::AdapUcb,                        //
    recipes::AdapKlUcb,                      //
    recipes::DpKlUcb,                        //
    recipes::DpImed,                         //
    recipes::MgfKlUcb,                       //
    recipes::MgfImed,                        //
    recipes::DpUcbTree,                      //
    recipes::DpTsTree,                       //
    recipes::DpUcbInt,                       //
    recipes::LdpUcbLaplace,                  //
    recipes::LdpUcbBits,                     //
    recipes::KlUcbCf,                        //
    recipes::TsCf,                           //
    recipes::DpExp3,                         //
    recipes::Ftl,                            //
    recipes::HedgeDecreasing,                //
    recipes::Ftnl,                           //
    recipes::RnmFtnlAsPublished,             //
    recipes::RnmFtnl,                        //
    recipes::PfFtnl,                         //
    recipes::Cucb,                           //
    recipes::CtsBeta,                        //
    recipes::CtsGaussian,                    //
    recipes::Omm,                            //
    recipes::KlOsm,                          //
    recipes::CucbLdp1,                       //
    recipes::CucbLdp2,                       //
    recipes::CucbDp,                         //
    recipes::CucbDpAsPublished,              //
    recipes::CucbDpWeakest,                  //
    recipes::CucbLdpGaussian,                //
    recipes::CucbLdpGaussianAsPublished,     //
    recipes::DpUcbMat,                       //
    recipes::DpTsMat,                        //
    recipes::LazyKlMat,                      //
    recipes::LazyKlCucb,                     //
    recipes::CascadeUcb1,                    //
    recipes::CascadeKlUcb,                   //
    recipes::CascadeDpHybridAsPublished,     //
    recipes::CascadeLdpLaplaceAsPublished,   //
    recipes::CascadeLdpGaussianAsPublished,  //
    recipes::CascadeLdpComposedAsPublished,  //
    recipes::CascadeDp,                      //
    recipes::CascadeLdp,                     //
    recipes::CascadeLdpStop>;

/// What is known of a policy without running it.
struct Entry {
  Card card;
  /// The guarantee computed from the parts of the policy built for this setting.
  privacy::Guarantee (*guarantee)(const Setting&, const std::vector<ParameterValue>&);
  /// The recipe's parameters with their values once `given` is applied; throws for unknown ones.
  std::vector<ParameterInfo> (*parameters)(const std::vector<ParameterValue>& given);
};

/// In the order of the catalogue.
const std::vector<Entry>& catalogue();
/// Throws InvalidParameter that suggests the nearest name.
const Entry& find_policy(std::string_view name);

}  // namespace tacit::policies
