// SPDX-License-Identifier: Apache-2.0
#include "base/eval/finding.hpp"

#include "base/error.hpp"
#include "base/eval/launch_json.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace coulomb::eval {
namespace {

std::string index_text(const Dim3& d) {
  return fmt::format("({},{},{})", d.x, d.y, d.z);
}

} // namespace

std::vector<std::string> parse_checks(const std::string& text) {
  const std::vector<std::string> known(kCheckNames.begin(), kCheckNames.end());
  std::vector<std::string> wanted;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word == "all") {
      return known;
    }
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      throw UserError(fmt::format("unknown check \"{}\"{}; allowed: {}, all", word,
                                  did_you_mean(word, known), fmt::join(known, ", ")));
    }
    wanted.push_back(word);
  }
  std::vector<std::string> checks;
  std::copy_if(known.begin(), known.end(), std::back_inserter(checks), [&](const std::string& k) {
    return std::find(wanted.begin(), wanted.end(), k) != wanted.end();
  });
  return checks;
}

nlohmann::json finding_json(const Finding& f) {
  return {{"check", f.check},
          {"message", f.message},
          {"kernel", f.kernel},
          {"file", f.file},
          {"line", f.line},
          {"pc", f.pc},
          {"cta", dim3_json(f.cta)},
          {"thread", dim3_json(f.thread)},
          {"space", f.space},
          {"address", f.address},
          {"allocation", f.allocation},
          {"occurrences", f.occurrences}};
}

Finding finding_from_json(const JsonFields& fields) {
  Finding f;
  f.check = fields.text("check");
  f.message = fields.text("message");
  f.kernel = fields.text("kernel");
  f.file = fields.text("file");
  f.line = fields.u32("line");
  f.pc = fields.u32("pc");
  f.cta = dim3_from_json(fields, "cta");
  f.thread = dim3_from_json(fields, "thread");
  f.space = fields.text("space");
  f.address = fields.u64("address");
  f.allocation = fields.text("allocation");
  f.occurrences = fields.u64("occurrences");
  return f;
}

std::string finding_text(const Finding& f) {
  std::string text = fmt::format("{}  kernel {}", f.check, f.kernel);
  if (!f.file.empty()) {
    text += fmt::format("  {}:{}", f.file, f.line);
  }
  text +=
      fmt::format("  pc 0x{:04x}  CTA {} thread {}", f.pc, index_text(f.cta), index_text(f.thread));
  if (!f.space.empty()) {
    text += fmt::format("  {} address {:#x}", f.space, f.address);
  }
  if (!f.allocation.empty()) {
    text += fmt::format(" in {}", f.allocation);
  }
  text += ": " + f.message;
  if (f.occurrences > 1) {
    text += fmt::format(" ({} times)", with_thousands(f.occurrences));
  }
  return text;
}

} // namespace coulomb::eval
