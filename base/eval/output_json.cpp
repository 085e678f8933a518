// SPDX-License-Identifier: Apache-2.0
#include "base/eval/output_json.hpp"

namespace coulomb::eval {

nlohmann::json output_check_json(const OutputCheck& check) {
  return {{"checked", check.checked},
          {"passed", check.passed},
          {"max_rel_error", number_json(check.max_rel_error)},
          {"compared", check.compared},
          {"first_difference", check.first_difference},
          {"reference", check.reference}};
}

OutputCheck output_check_from_json(const JsonFields& fields) {
  OutputCheck check;
  check.checked = fields.flag("checked");
  check.passed = fields.flag("passed");
  check.max_rel_error = fields.number("max_rel_error");
  check.compared = fields.u64("compared");
  check.first_difference = fields.text("first_difference");
  check.reference = fields.text("reference");
  return check;
}

nlohmann::json expected_json(const kernel::ExpectedOutput& e) {
  return {{"argument", e.argument},
          {"path", e.path},
          {"tolerance", number_json(e.tolerance)},
          {"allow_nan", e.allow_nan},
          {"reference", e.reference}};
}

kernel::ExpectedOutput expected_from_json(const JsonFields& fields) {
  return {fields.text("argument"), fields.text("path"), fields.number("tolerance"),
          fields.flag("allow_nan"), fields.text("reference")};
}

nlohmann::json output_file_json(const kernel::OutputFile& o) {
  return {{"argument", o.argument}, {"path", o.path}, {"shape", o.shape}};
}

kernel::OutputFile output_file_from_json(const JsonFields& fields) {
  kernel::OutputFile output{fields.text("argument"), fields.text("path"), {}};
  for (const auto& extent : fields.array("shape")) {
    if (!extent.is_number_unsigned()) {
      fields.fail("shape", "an array of extents");
    }
    output.shape.push_back(extent.get<std::uint64_t>());
  }
  return output;
}

std::vector<std::string> texts_from_json(const JsonFields& fields, const char* name) {
  std::vector<std::string> texts;
  for (const auto& item : fields.array(name)) {
    if (!item.is_string()) {
      fields.fail(name, "an array of strings");
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

} // namespace coulomb::eval
