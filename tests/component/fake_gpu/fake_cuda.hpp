// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.hpp"
#include "hw/cuda/driver_abi.hpp"
#include "hw/loader/shared_library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::fake {

/// Environment variables for as long as a test runs.
class Options {
public:
  ~Options() {
    for (const auto& [name, value] : set_) {
      ::unsetenv(name.c_str());
    }
  }
  void set(const std::string& name, const std::string& value) {
    set_[name] = value;
    ::setenv(name.c_str(), value.c_str(), 1);
  }

private:
  std::map<std::string, std::string> set_;
};

/// The fake driver, loaded as the product loads the real one. Options must be set before open().
class FakeCudaTest : public testing::Test {
protected:
  void open() {
    static constexpr const char* kPath = COULOMB_BINARY_DIR "/fake_gpu/libcuda.so.1";
    ASSERT_EQ(::dlopen(kPath, RTLD_NOLOAD | RTLD_LAZY), nullptr)
        << "the state of an earlier test is still there";
    std::string why;
    library_ = hw::SharedLibrary::open({kPath}, why);
    ASSERT_TRUE(library_) << why;
#define FAKE_CUDA_RESOLVE(member, name, ...)                                                       \
  cu_.member = library_->function<hw::abi::DriverFunctions::member##_signature>(name);             \
  ASSERT_NE(cu_.member, nullptr) << name;
    COULOMB_CUDA_FUNCTIONS(FAKE_CUDA_RESOLVE)
#undef FAKE_CUDA_RESOLVE
  }
  /// The same, with a current context of device 0.
  void start() {
    open();
    ASSERT_EQ(cu_.init(0), 0);
    hw::abi::Context context = nullptr;
    ASSERT_EQ(cu_.context_retain(&context, 0), 0);
    ASSERT_EQ(cu_.context_set(context), 0);
  }

  static std::string cubin(const std::string& file) {
    return read_file(home_dir() + "/data/cubins/" + file);
  }
  hw::abi::Function load(const std::string& image, const char* name) {
    hw::abi::Module module = nullptr;
    EXPECT_EQ(cu_.module_load(&module, image.data()), 0);
    hw::abi::Function function = nullptr;
    EXPECT_EQ(cu_.module_function(&function, module, name), 0);
    return function;
  }
  template <class T>
  hw::abi::DevicePointer upload(const std::vector<T>& values) {
    hw::abi::DevicePointer address = 0;
    EXPECT_EQ(cu_.allocate(&address, values.size() * sizeof(T)), 0);
    EXPECT_EQ(cu_.to_device(address, values.data(), values.size() * sizeof(T)), 0);
    return address;
  }
  template <class T>
  std::vector<T> download(hw::abi::DevicePointer address, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cu_.to_host(values.data(), address, count * sizeof(T)), 0);
    return values;
  }
  template <class... Arguments>
  hw::abi::Result
  launch(hw::abi::Function function, unsigned grid, unsigned block, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return cu_.launch(function, grid, 1, 1, block, 1, 1, 0, nullptr, pointers, nullptr);
  }

  Options options_;
  std::optional<hw::SharedLibrary> library_;
  hw::abi::DriverFunctions cu_;
};

/// data/cubins/saxpy-*.cubin: 256 threads a block, 4 elements a thread.
struct Saxpy {
  static constexpr int kCount = 5000; ///< not a multiple of a block's elements
  static constexpr unsigned kGrid = 5;
  static constexpr unsigned kBlock = 256;
  static constexpr float kAlpha = 2.5F;
};

} // namespace coulomb::fake
