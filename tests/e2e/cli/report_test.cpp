// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

/// A small search in the workplace's directory "out".
void search_small_saxpy(const Workplace& workplace) {
  write_small_saxpy(workplace);
  const Result result = run(workplace, {"search", "small.json", "--gpu", kGpu, "--out", "out",
                                        "--budget", "24", "--jobs", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++n;
  }
  return n;
}

/// A Chromium that is installed, or an empty string.
std::string browser() {
  for (const char* path :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (std::filesystem::exists(path)) {
      return path;
    }
  }
  return {};
}

/// The page as the browser has it once its scripts ran.
std::string rendered(const std::string& browser, const Workplace& workplace, const char* name) {
  const std::string command =
      "timeout 90 " + browser + " --headless --no-sandbox --disable-gpu --user-data-dir='" +
      workplace.path("profile") + "' --dump-dom 'file://" + workplace.path(name) + "' 2>/dev/null";
  std::string out;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
      out.append(buffer.data(), n);
    }
    ::pclose(pipe);
  }
  return out;
}

TEST(Report, WritesOnePageThatRepeatsWhatTheSearchSaid) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  search_small_saxpy(workplace);
  const Result status = run(workplace, {"search", "status", "out"});
  const std::string next = status.out.substr(status.out.find("coulomb run "));
  const Result result = run(workplace, {"report", "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, MatchesRegex("saved out/report.html   [0-9,]+ bytes\n"));
  const std::string page = read(workplace, "out/report.html");
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("<pre>" + next.substr(0, next.find('\n')) + "</pre>"));
  EXPECT_THAT(page, HasSubstr("24 of 24 evaluations, stopped by budget"));
  EXPECT_EQ(count(page, "<svg"), 3U);
  EXPECT_THAT(page, Not(HasSubstr("http://")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
}

TEST(Report, ReplacesTheFileAndSaysInJsonWhereItIs) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  search_small_saxpy(workplace);
  workplace.write("page.html", "old");
  const Result result = run(workplace, {"report", "out", "-o", "page.html", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["out"], "page.html");
  EXPECT_EQ(result.json()["bytes"], std::filesystem::file_size(workplace.path("page.html")));
  EXPECT_THAT(read(workplace, "page.html"), StartsWith("<!DOCTYPE html>"));
}

TEST(Report, SaysThatADirectoryHoldsNoSearch) {
  const Workplace workplace;
  const Result result = run(workplace, {"report", "nowhere"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "error: nowhere holds no search: there is no nowhere/search.journal\n"
                        "  start one with: coulomb search SPEC --gpu GPU --out DIR\n");
  const Result unnamed = run(workplace, {"report"});
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_THAT(unnamed.err, HasSubstr("report: about which search? Name its directory"));
}

TEST(Report, ShowsItsChartsInABrowserWithoutLoadingAnything) {
  const std::string program = browser();
  if (program.empty()) {
    GTEST_SKIP() << "there is no Chromium here";
  }
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  search_small_saxpy(workplace);
  ASSERT_EQ(run(workplace, {"report", "out"}).exit_code, 0);
  // The copy counts what the page asked for, and what its policy kept it from.
  std::string page = read(workplace, "out/report.html");
  page.insert(page.find("<main>"),
              "<script>let refused = 0;"
              "addEventListener('securitypolicyviolation', () => { ++refused; });"
              "addEventListener('load', () => { document.body.dataset.loaded ="
              " performance.getEntriesByType('resource').length + ' and ' + refused; });"
              "</script>");
  workplace.write("counted.html", page);
  const std::string dom = rendered(program, workplace, "counted.html");
  EXPECT_THAT(dom, HasSubstr("data-loaded=\"0 and 0\""));
  EXPECT_EQ(count(dom, "<svg"), 3U);
  EXPECT_THAT(dom, HasSubstr("<button title=\"sort by this column\">")) << "its script ran";
}

} // namespace
} // namespace coulomb::e2e
