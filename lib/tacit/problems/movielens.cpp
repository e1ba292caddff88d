#include "tacit/problems/movielens.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/core/text_file.hpp"

namespace tacit::problems {
namespace {

constexpr std::string_view kSeparator = "::";
constexpr const char* kRatingsLine = "must be UserID::MovieID::Rating::Timestamp";
constexpr const char* kMoviesLine = "must be MovieID::Title (Year)::Genre|Genre...";

/// Reads a file line by line and knows where it is, so that errors can say so.
class Lines {
 public:
  explicit Lines(std::filesystem::path path) : path_(std::move(path)), file_(path_) {
    if (!file_ || is_device(path_.string())) {
      throw InvalidParameter(
          "read_movielens", "folder", path_.string(),
          "cannot be read; get it from https://grouplens.org/datasets/movielens/1m/");
    }
  }

  bool next() {
    if (!std::getline(file_, text_)) {
      if (file_.bad()) refuse("cannot be read to its end");
      return false;
    }
    if (++number_ == 1) {
      if (const auto foreign = foreign_encoding(text_)) refuse("is " + *foreign);
    }
    if (text_.ends_with('\r')) text_.pop_back();  // unpacked on Windows
    return true;
  }
  std::string_view text() const { return text_; }
  int number() const { return number_; }
  [[noreturn]] void refuse(const std::string& requirement) const { refuse(number_, requirement); }
  [[noreturn]] void refuse(int number, const std::string& requirement) const {
    throw InvalidParameter("read_movielens", "line", fmt::format("{}:{}", path_.string(), number),
                           requirement);
  }

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::string text_;
  int number_ = 0;
};

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

/// Latin-1 is the first 256 code points, which UTF-8 writes in two bytes from 128 on.
std::string utf8_from_latin1(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      result.push_back(c);
    } else {
      result.push_back(static_cast<char>(0xc0U | (code >> 6U)));
      result.push_back(static_cast<char>(0x80U | (code & 0x3fU)));
    }
  }
  return result;
}

struct Rating {
  int user;
  int movie;
  int line;
};

/// Every rating, by movie and then user.
std::vector<Rating> read_ratings(const std::filesystem::path& path) {
  std::vector<Rating> ratings;
  Lines lines(path);
  while (lines.next()) {
    const auto fields = split(lines.text(), kSeparator);
    if (fields.size() != 4) lines.refuse(kRatingsLine);
    const auto user = whole_number(fields[0]);
    const auto movie = whole_number(fields[1]);
    const auto stars = whole_number(fields[2]);
    if (!user || !movie || !stars || !whole_number(fields[3])) lines.refuse(kRatingsLine);
    if (*stars < 1 || *stars > 5) lines.refuse("must have a rating in 1..5");
    ratings.push_back({*user, *movie, lines.number()});
  }
  std::sort(ratings.begin(), ratings.end(), [](const Rating& a, const Rating& b) {
    return std::tie(a.movie, a.user, a.line) < std::tie(b.movie, b.user, b.line);
  });
  const auto twice = std::adjacent_find(
      ratings.begin(), ratings.end(),
      [](const Rating& a, const Rating& b) { return a.movie == b.movie && a.user == b.user; });
  if (twice != ratings.end()) {
    lines.refuse((twice + 1)->line,
                 fmt::format("repeats the user and movie of line {}", twice->line));
  }
  return ratings;
}

struct Movie {
  std::string title;
  std::vector<std::int64_t> genres;
};

Movie parse_movie(std::string_view title, std::string_view genres, const Lines& lines) {
  Movie movie{utf8_from_latin1(title), std::vector<std::int64_t>(kMovieLensGenres.size(), 0)};
  for (const std::string_view genre : split(genres, "|")) {
    const auto known = std::find(kMovieLensGenres.begin(), kMovieLensGenres.end(), genre);
    if (known == kMovieLensGenres.end()) {
      lines.refuse(fmt::format("has the unknown genre '{}'", utf8_from_latin1(genre)));
    }
    movie.genres[static_cast<std::size_t>(known - kMovieLensGenres.begin())] = 1;
  }
  return movie;
}

std::map<int, Movie> read_movies(const std::filesystem::path& path) {
  std::map<int, Movie> movies;
  Lines lines(path);
  while (lines.next()) {
    const auto fields = split(lines.text(), kSeparator);
    if (fields.size() != 3 || fields[1].empty()) lines.refuse(kMoviesLine);
    const auto id = whole_number(fields[0]);
    if (!id) lines.refuse(kMoviesLine);
    if (!movies.emplace(*id, parse_movie(fields[1], fields[2], lines)).second) {
      lines.refuse(fmt::format("repeats movie {}", *id));
    }
  }
  return movies;
}

/// The ratings of one movie: a stretch of the sorted ones.
struct Stretch {
  std::vector<Rating>::const_iterator begin;
  std::vector<Rating>::const_iterator end;
};

/// Most ratings first, the lower id first among equals.
std::vector<Stretch> ranked_movies(const std::vector<Rating>& ratings) {
  std::vector<Stretch> movies;
  for (auto begin = ratings.begin(); begin != ratings.end();) {
    const auto end = std::find_if(begin, ratings.end(),
                                  [&](const Rating& r) { return r.movie != begin->movie; });
    movies.push_back({begin, end});
    begin = end;
  }
  std::stable_sort(movies.begin(), movies.end(), [](const Stretch& a, const Stretch& b) {
    return a.end - a.begin > b.end - b.begin;
  });
  return movies;
}

}  // namespace

MovieLens read_movielens(const std::filesystem::path& folder, int count) {
  check::at_least("read_movielens", "movies played", count, 1);
  const std::vector<Rating> ratings = read_ratings(folder / "ratings.dat");
  const std::map<int, Movie> movies = read_movies(folder / "movies.dat");

  std::vector<int> users;
  users.reserve(ratings.size());
  for (const Rating& rating : ratings) users.push_back(rating.user);
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());

  const std::vector<Stretch> ranked = ranked_movies(ratings);
  if (std::cmp_greater(count, ranked.size())) {
    throw InvalidParameter("read_movielens", "movies played", fmt::format("{}", count),
                           fmt::format("must be at most {}, the number of rated movies in {}",
                                       ranked.size(), (folder / "ratings.dat").string()));
  }
  MovieLens result;
  result.ratings = BitMatrix(static_cast<int>(users.size()), count);
  for (int rank = 0; rank < count; ++rank) {
    const Stretch& stretch = ranked[static_cast<std::size_t>(rank)];
    const int id = stretch.begin->movie;
    const auto movie = movies.find(id);
    if (movie == movies.end()) {
      throw InvalidParameter("read_movielens", "folder", (folder / "movies.dat").string(),
                             fmt::format("has no movie {}, which ratings.dat rates", id));
    }
    result.movie_ids.push_back(id);
    result.titles.push_back(movie->second.title);
    result.genres.push_back(movie->second.genres);
    for (auto rating = stretch.begin; rating != stretch.end; ++rating) {
      const auto user = std::lower_bound(users.begin(), users.end(), rating->user);
      result.ratings.set(static_cast<int>(user - users.begin()), rank);
    }
  }
  return result;
}

}  // namespace tacit::problems
