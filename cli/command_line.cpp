// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/ranges.h>

namespace coulomb::cli {

namespace po = boost::program_options;

po::variables_map parse_options(const std::string& command,
                                const std::vector<std::string>& args,
                                const po::options_description& options,
                                const std::vector<std::string>& positional) {
  const std::string hint = fmt::format("coulomb {} --help lists the options", command);
  // Guessing would let an abbreviation change its meaning when an option is added.
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::positional_options_description words;
  for (const auto& name : positional) {
    const bool all = name.ends_with("...");
    words.add(all ? name.substr(0, name.size() - 3).c_str() : name.c_str(), all ? -1 : 1);
  }
  po::variables_map values;
  try {
    po::store(po::command_line_parser(args).options(options).positional(words).style(style).run(),
              values);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> known;
    for (const auto& o : options.options()) {
      known.push_back("--" + o->long_name());
    }
    throw UserError(fmt::format("{}: unknown option {}{}", command, e.get_option_name(),
                                did_you_mean(e.get_option_name(), known)),
                    hint);
  } catch (const po::too_many_positional_options_error&) {
    throw UserError(positional.empty()
                        ? fmt::format("{}: found a word that belongs to no option", command)
                        : fmt::format("{}: found a word too many; besides options it takes only {}",
                                      command, fmt::join(positional, ", ")),
                    hint);
  } catch (const po::error& e) {
    throw UserError(fmt::format("{}: {}", command, e.what()), hint);
  }
  return values;
}

std::vector<std::string> strings(const po::variables_map& values, const char* name) {
  return values.count(name) > 0 ? values[name].as<std::vector<std::string>>()
                                : std::vector<std::string>{};
}

std::string shell_line(const std::string& command, const std::vector<std::string>& args) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-./=:,+%@";
  std::string line = "coulomb " + command;
  for (const auto& arg : args) {
    line += ' ';
    if (!arg.empty() && arg.find_first_not_of(kPlain) == std::string::npos) {
      line += arg;
      continue;
    }
    line += '\'';
    for (const char c : arg) {
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    line += '\'';
  }
  return line;
}

} // namespace coulomb::cli
