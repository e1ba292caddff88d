// Chandak's Figure 2.1: how often an attacker who knows everything but one user's bit must fail, and how often
// the best attackers on two mechanisms do.
#pragma once

#include <filesystem>

#include "tacit/lab/reproduce.hpp"

namespace tacit::lab {

Item adversary_item();
/// Writes its files into the folder, which exists.
Reproduced reproduce_adversary(const std::filesystem::path& folder);

}  // namespace tacit::lab
