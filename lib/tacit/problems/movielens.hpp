// MovieLens 1M (Harper & Konstan 2015): who rated which of the most rated movies, and their genres.
//
// The data may be used for research but not passed on, so it is not part of this project: get it from
// https://grouplens.org/datasets/movielens/1m/ and name the folder that holds ratings.dat and movies.dat.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/problems/bit_matrix.hpp"

namespace tacit::problems {

inline constexpr std::array<std::string_view, 18> kMovieLensGenres{
    "Action",      "Adventure", "Animation", "Children's", "Comedy", "Crime",
    "Documentary", "Drama",     "Fantasy",   "Film-Noir",  "Horror", "Musical",
    "Mystery",     "Romance",   "Sci-Fi",    "Thriller",   "War",    "Western"};

struct MovieLens {
  BitMatrix ratings;                              // user rated movie; users by id, movies by rank
  std::vector<int> movie_ids;                     // by rank
  std::vector<std::string> titles;                // by rank, with the year, in UTF-8
  std::vector<std::vector<std::int64_t>> genres;  // by rank, 0 or 1 for each of kMovieLensGenres
};

/// The `count` movies with most ratings, most first, the lower id first among equals. Users are all who rated
/// any movie. Throws InvalidParameter for a file that is missing, a line that is not as documented (with its
/// number), or fewer than `count` rated movies.
MovieLens read_movielens(const std::filesystem::path& folder, int count);

}  // namespace tacit::problems
