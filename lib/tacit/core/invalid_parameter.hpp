// The one exception of the library: a value that a constructor or a parser cannot accept.
#pragma once

#include <stdexcept>
#include <string>
#include <variant>

namespace tacit {

/// What a user writes a value under: an option of the command line, which is a key of experiments and of
/// requests too.
struct Option {
  std::string name;
};
/// A line of a file: of one that an option names, or of the experiment that the key stands in.
struct FileLine {
  std::string option;
  std::string file;
  int line = 0;
};
/// A parameter of a function of the library. Whoever wrote an option need not know that there is one.
struct Parameter {
  std::string function;
  std::string name;
};

using About = std::variant<Option, FileLine, Parameter>;

/// In the place of a value that was given and is not repeated: an outcome, a key, a file's worth of text.
struct Withheld {};

/// Why a value is refused, as a value: what it is about, what was given and what is allowed.
struct Refusal {
  About about;
  std::string value;  // empty: none was given, unless it is withheld
  std::string requirement;
  bool withheld = false;

  /// The option's name, or the parameter's.
  const std::string& name() const noexcept;
  /// What is allowed, with the file and the line if it is about one.
  std::string located() const;
  /// "scale = -2: must be a finite number > 0", to be said of something that is made with it. What has no value
  /// is called by no name: those who would know the name did not write it.
  std::string in_words() const;
  /// The whole line for a user.
  std::string sentence() const;
};

/// Thrown from constructors and parsers, never from the hot path. what() is one line fit for a
/// user: it names the parameter, the value that was given and what is allowed.
class InvalidParameter : public std::invalid_argument {
 public:
  explicit InvalidParameter(Refusal refusal);
  InvalidParameter(About about, std::string value, std::string requirement);
  /// About a function's parameter.
  InvalidParameter(std::string function, std::string parameter, std::string value,
                   std::string requirement);
  InvalidParameter(About about, Withheld, std::string requirement);
  InvalidParameter(std::string function, std::string parameter, Withheld, std::string requirement);
  /// No function is called "": say which option it is about.
  InvalidParameter(const char (&)[1], std::string, std::string, std::string) = delete;
  InvalidParameter(const InvalidParameter&) = default;
  InvalidParameter& operator=(const InvalidParameter&) = default;
  ~InvalidParameter() override;

  const Refusal& refusal() const noexcept { return refusal_; }
  const About& about() const noexcept { return refusal_.about; }
  const std::string& parameter() const noexcept { return refusal_.name(); }
  const std::string& value() const noexcept { return refusal_.value; }
  const std::string& requirement() const noexcept { return refusal_.requirement; }

 private:
  Refusal refusal_;
};

/// Calls `make`. What it refuses of a function's parameter is said of the option that it was made from; what is
/// said of an option or of a line of a file already speaks of what the user wrote, and stays as it is.
template <class Make>
auto in_the_name_of(const Option& option, const std::string& given, Make make) {
  try {
    return make();
  } catch (const InvalidParameter& error) {
    if (!std::holds_alternative<Parameter>(error.about())) throw;
    throw InvalidParameter(option, given, error.refusal().in_words());
  }
}

}  // namespace tacit
