# A release fills in the words between @ signs.
class Photolala < Formula
  desc "Back up, sync and restore photos, with a server of your own"
  homepage "https://github.com/@REPOSITORY@"
  url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/photolala-@VERSION@-source.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia
  depends_on "vips"

  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"

  def install
    programs = ["photolala", "photolala-server", "photolala-thumbnailer"]
    programs.each do |program|
      system "swift", "build", "--disable-sandbox", "-c", "release", "--product", program
    end
    bin.install programs.map { |program| ".build/release/#{program}" }
    { "photolala" => 1, "photolala-server" => 8 }.each do |program, section|
      generate_completions_from_executable(bin/program, "--generate-completion-script")
      system "python3", "scripts/manual-page", bin/program, section.to_s, "man"
      (share/"man/man#{section}").install Dir["man/*.#{section}"]
    end
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/photolala --version").strip
    assert_match "environment", shell_output("#{bin}/photolala-server check-settings 2>&1", 78)
  end
end
