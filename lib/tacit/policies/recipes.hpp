// The list of recipes. It is explicit: self-registration vanishes from static libraries. Adding a policy is
// two lines here: its name among the structs, and in the list, whose order is that of `tacit list` (CONTRIBUTING.md, "How
// to add a policy").
//
// A recipe is known by the name of its struct alone: who includes this compiles none of them.
#pragma once

namespace tacit::policies {

template <class... Recipe>
struct RecipeList {};

namespace recipes {
struct Ucb1;
struct KlUcb;
struct ThompsonBeta;
struct ThompsonGaussian;
struct AnytimeLazyUcb;
struct LazyDpTs;
struct DpSe;
struct AdapUcb;
struct AdapKlUcb;
struct DpKlUcb;
struct DpImed;
struct MgfKlUcb;
struct MgfImed;
struct DpUcbTree;
struct DpTsTree;
struct DpUcbInt;
struct LdpUcbLaplace;
struct LdpUcbBits;
struct KlUcbCf;
struct TsCf;
struct DpExp3;
struct MgfTt;
struct LdpMgfTt;
struct TopTwo;
struct AdapTt;
struct AdapTtStar;
struct CtbTt;
struct Ftl;
struct HedgeDecreasing;
struct Ftnl;
struct RnmFtnlAsPublished;
struct RnmFtnl;
struct PfFtnl;
struct Cucb;
struct CtsBeta;
struct CtsGaussian;
struct Omm;
struct KlOsm;
struct CucbLdp1;
struct CucbLdp2;
struct CucbDp;
struct CucbDpAsPublished;
struct CucbDpWeakest;
struct CucbLdpGaussian;
struct CucbLdpGaussianAsPublished;
struct DpUcbMat;
struct DpTsMat;
struct LazyKlMat;
struct LazyKlCucb;
struct CascadeUcb1;
struct CascadeKlUcb;
struct CascadeDpHybridAsPublished;
struct CascadeLdpLaplaceAsPublished;
struct CascadeLdpGaussianAsPublished;
struct CascadeLdpComposedAsPublished;
struct CascadeDp;
struct CascadeLdp;
struct CascadeLdpStop;
}  // namespace recipes

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
    recipes::MgfTt,                          //
    recipes::LdpMgfTt,                       //
    recipes::TopTwo,                         //
    recipes::AdapTt,                         //
    recipes::AdapTtStar,                     //
    recipes::CtbTt,                          //
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

}  // namespace tacit::policies
