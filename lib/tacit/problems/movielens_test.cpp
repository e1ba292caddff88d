#include "tacit/problems/movielens.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::problems {
namespace {

/// A folder of made-up ratings, gone when the test is.
class Folder {
 public:
  Folder(const std::string& ratings, const std::string& movies)
      : path_(std::filesystem::path(::testing::TempDir()) /
              fmt::format("tacit_movielens_{}_{}", getpid(), next_number())) {
    std::filesystem::create_directories(path_);
    write("ratings.dat", ratings);
    write("movies.dat", movies);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  static int next_number() {
    static int made = 0;
    return made++;
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

  std::filesystem::path path_;
};

// Movie 7 has three ratings, 20 and 3 two each, 11 one. User 40 rated nothing but the last.
constexpr const char* kRatings =
    "9::20::5::978300760\n"
    "9::7::3::978302109\n"
    "2::7::4::978301968\n"
    "2::3::4::978300275\n"
    "40::11::1::978824291\n"
    "31::7::2::978302268\n"
    "31::20::5::978302039\n"
    "31::3::5::978300719\n";
constexpr const char* kMovies =
    "3::Third, The (1903)::Western\n"
    "7::Caf\xe9 \xfc (1907)::Action|Children's|Western\n"
    "11::Eleven (1911)::Sci-Fi\n"
    "13::Unseen (1913)::Drama\n"
    "20::Twenty: Part II (1920)::Comedy|Film-Noir\n";

std::string refusal(const std::string& ratings, const std::string& movies, int count = 1) {
  const Folder folder(ratings, movies);
  try {
    read_movielens(folder.path(), count);
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MovieLens, RanksMoviesByRatingsAndTheLowerIdFirstAmongEquals) {
  const Folder folder(kRatings, kMovies);
  EXPECT_EQ(read_movielens(folder.path(), 4).movie_ids, (std::vector<int>{7, 3, 20, 11}));
  EXPECT_EQ(read_movielens(folder.path(), 2).movie_ids, (std::vector<int>{7, 3}));
}

TEST(MovieLens, TellsWhoRatedWhat) {
  const Folder folder(kRatings, kMovies);
  const BitMatrix ratings = read_movielens(folder.path(), 3).ratings;
  // Users 2, 9, 31, 40; the last is a user though none of the three movies is theirs.
  ASSERT_EQ(ratings.users(), 4);
  ASSERT_EQ(ratings.items(), 3);
  const std::vector<std::vector<bool>> expected{
      {true, true, false}, {true, false, true}, {true, true, true}, {false, false, false}};
  for (int user = 0; user < 4; ++user) {
    for (int item = 0; item < 3; ++item) {
      EXPECT_EQ(ratings.at(user, item),
                expected[static_cast<std::size_t>(user)][static_cast<std::size_t>(item)])
          << user << " " << item;
    }
  }
}

TEST(MovieLens, HasTitlesInUtf8AndGenresInOrder) {
  const Folder folder(kRatings, kMovies);
  const MovieLens data = read_movielens(folder.path(), 3);
  EXPECT_EQ(data.titles, (std::vector<std::string>{"Caf\xc3\xa9 \xc3\xbc (1907)",
                                                   "Third, The (1903)", "Twenty: Part II (1920)"}));
  const std::vector<std::vector<std::int64_t>> genres{
      {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
      {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}};
  EXPECT_EQ(data.genres, genres);
}

TEST(MovieLens, DoesNotDependOnTheOrderOrTheEndingsOfLines) {
  const Folder folder("1::7::5::0\r\n2::7::5::0\r\n1::3::5::0\r\n", kMovies);
  const MovieLens a = read_movielens(folder.path(), 2);
  const Folder other("1::3::5::0\n2::7::5::0\n1::7::5::0", kMovies);
  const MovieLens b = read_movielens(other.path(), 2);
  EXPECT_EQ(a.ratings, b.ratings);
  EXPECT_EQ(a.movie_ids, (std::vector<int>{7, 3}));
  EXPECT_EQ(b.movie_ids, (std::vector<int>{7, 3}));
}

TEST(MovieLens, NamesTheLineOfRatingsThatIsWrong) {
  for (const char* line : {"", "1::7::5", "1::7::5::0::0", "1:7:5:0", "a::7::5::0", "1::7x::5::0",
                           "1::7::4.5::0", "1::7::0::0", "1::7::6::0", "1::7::5::", "-1::7::5::0",
                           "99999999999::7::5::0", " 1::7::5::0"}) {
    const std::string what = refusal(fmt::format("1::3::5::0\n{}\n2::7::5::0\n", line), kMovies);
    EXPECT_TRUE(contains(what, "ratings.dat:2")) << line << " -> " << what;
  }
}

TEST(MovieLens, RefusesASecondRatingOfOneMovieByOneUser) {
  const std::string what = refusal("5::3::5::0\n1::7::5::0\n5::3::4::1\n", kMovies);
  EXPECT_TRUE(contains(what, "ratings.dat:3")) << what;
  EXPECT_TRUE(contains(what, "line 1")) << what;
}

TEST(MovieLens, NamesTheLineOfMoviesThatIsWrong) {
  for (const char* line : {"", "5::Five (1905)", "5::::Drama", "x::Five (1905)::Drama",
                           "5::Five (1905)::", "5::Five (1905)::Drama|Opera",
                           "5::Five (1905)::Drama::War", "3::Third again (1905)::Drama"}) {
    const std::string what = refusal(kRatings, fmt::format("3::Third (1903)::War\n{}\n", line));
    EXPECT_TRUE(contains(what, "movies.dat:2")) << line << " -> " << what;
  }
}

TEST(MovieLens, SaysWhereToGetAFileThatIsMissing) {
  for (const char* name : {"ratings.dat", "movies.dat"}) {
    const Folder folder(kRatings, kMovies);
    std::filesystem::remove(folder.path() / name);
    try {
      read_movielens(folder.path(), 1);
      FAIL() << "did without " << name;
    } catch (const InvalidParameter& error) {
      EXPECT_TRUE(contains(error.what(), name)) << error.what();
      EXPECT_TRUE(contains(error.what(), "https://grouplens.org/datasets/movielens/1m/"));
    }
  }
}

TEST(MovieLens, RefusesMoreMoviesThanWereRated) {
  EXPECT_EQ(refusal(kRatings, kMovies, 4), "");
  EXPECT_TRUE(contains(refusal(kRatings, kMovies, 5), "movies played"));
  EXPECT_TRUE(contains(refusal(kRatings, kMovies, 0), "movies played"));
  EXPECT_TRUE(contains(refusal("", kMovies, 1), "movies played"));
}

TEST(MovieLens, RefusesARatedMovieWithoutATitle) {
  const std::string what = refusal("1::8::5::0\n", kMovies);
  EXPECT_TRUE(contains(what, "movies.dat")) << what;
  EXPECT_TRUE(contains(what, "movie 8")) << what;
}

}  // namespace
}  // namespace tacit::problems
