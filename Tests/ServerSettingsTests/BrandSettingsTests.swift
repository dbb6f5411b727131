import Foundation
import Testing
import UseCases

@testable import ServiceWiring

/// Settings for what the pages show of the operator.
@Suite struct BrandSettingsTests {
    private static let svg = "<?xml version=\"1.0\"?>\n<!-- a logo --><svg xmlns=\"http://www.w3.org/2000/svg\"/>"

    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "brand-\(UUID())"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("name, logo, color and links are read, and the default is Photolala's own")
    func read() throws {
        let standard = try SettingsFixture.read([:], flags: SettingsFixture.dev).brand
        #expect(standard.name == "Photolala" && standard.logo == nil && standard.accent == nil)
        try withFile([UInt8](Self.svg.utf8)) { path in
            let brand = try SettingsFixture.read(
                [
                    "PHOTOLALA_BRAND_NAME": "Bob’s Photos", "PHOTOLALA_BRAND_LOGO": path,
                    "PHOTOLALA_BRAND_ACCENT": "#8A1C5B", "PHOTOLALA_BRAND_TERMS_URL": "https://photos.example/terms",
                    "PHOTOLALA_BRAND_PRIVACY_URL": "https://photos.example/privacy",
                    "PHOTOLALA_BRAND_SUPPORT_URL": "mailto:help@photos.example",
                    "PHOTOLALA_BRAND_PLANS_URL": "https://photos.example/plans",
                    "PHOTOLALA_BRAND_SECURITY_URL": "https://photos.example/security",
                ], flags: SettingsFixture.dev
            ).brand
            #expect(brand.name == "Bob’s Photos" && brand.logo?.kind == .svg && brand.accent?.description == "#8a1c5b")
            #expect(brand.termsURL == "https://photos.example/terms")
            #expect(brand.privacyURL == "https://photos.example/privacy")
            #expect(brand.supportURL == "mailto:help@photos.example")
            #expect(brand.plansURL == "https://photos.example/plans")
            #expect(brand.securityURL == "https://photos.example/security")
        }
    }

    @Test(
        "a wrong value is reported",
        arguments: [
            ("NAME", "a\nb", "brand.name: must be 1 to 40 printable characters"),
            ("NAME", String(repeating: "x", count: 41), "brand.name: must be 1 to 40 printable characters"),
            ("NAME", "a\u{202e}b", "brand.name: must be 1 to 40 printable characters"),
            (
                "LOGO", "/nonexistent/logo.svg",
                "brand.logo: cannot read /nonexistent/logo.svg: No such file or directory"
            ),
            ("LOGO", "/", "brand.logo: cannot read /: Is a directory"),
            ("LOGO", "/dev/zero", "brand.logo: cannot read /dev/zero: not a regular file"),
            ("ACCENT", "blue", "brand.accent: must be a color like #0b57d0, not \"blue\""),
            ("ACCENT", "#-12345", "brand.accent: must be a color like #0b57d0, not \"#-12345\""),
            (
                "ACCENT", "#8ab4f8",
                "brand.accent: must have a contrast of 4.5 or more with white text, and #8ab4f8 has 2.1"
            ),
            ("TERMS_URL", "http://a.example", "brand.termsURL: must be an https URL, not \"http://a.example\""),
            (
                "PRIVACY_URL", "javascript:alert(1)",
                "brand.privacyURL: must be an https URL, not \"javascript:alert(1)\""
            ),
            ("SUPPORT_URL", "mailto:", "brand.supportURL: must be an https or mailto URL, not \"mailto:\""),
            ("PLANS_URL", "mailto:a@b.example", "brand.plansURL: must be an https URL, not \"mailto:a@b.example\""),
            (
                "SECURITY_URL", "mailto:a\nContact: b",
                "brand.securityURL: must be an https or mailto URL, not \"mailto:a\nContact: b\""
            ),
        ])
    func problems(_ name: String, _ value: String, _ expected: String) throws {
        let found = try SettingsFixture.problems(["PHOTOLALA_BRAND_\(name)": value], flags: SettingsFixture.dev)
        #expect(found == [expected])
    }

    @Test("a logo that is neither an SVG nor a square PNG of a suitable size is reported")
    func logos() throws {
        let text =
            "brand.logo: must be an SVG, or a square PNG of 180 to 1024 pixels, of at most 256 KiB"
        for bytes in [
            [], [UInt8]("<html><svg/></html>".utf8), Self.png(179, 179), Self.png(512, 511), Self.png(1025, 1025),
            Self.png(512, 512) + [UInt8](repeating: 0, count: BrandLogo.maximumSize), [UInt8]("<svgx>".utf8), [0xff],
        ] {
            try withFile(bytes) { path in
                let found = try SettingsFixture.problems(["PHOTOLALA_BRAND_LOGO": path], flags: SettingsFixture.dev)
                #expect(found == [text])
            }
        }
        #expect(BrandLogo(Self.png(180, 180))?.kind == .png && BrandLogo(Self.png(1024, 1024))?.kind == .png)
    }

    /// The start of a PNG, up to the end of its header.
    private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        let number = { (value: UInt32) in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + number(13) + Array("IHDR".utf8) + number(width)
            + number(height) + [8, 2, 0, 0, 0] + number(0)
    }

    @Test("a color is lightened for dark pages until it can be read")
    func onDark() throws {
        for text in ["#000000", "#0b57d0", "#8a1c5b", "#006400", "#7a0000"] {
            let color = try #require(AccentColor(text))
            #expect(color.contrastWithWhite >= AccentColor.minimumContrast && color.description == text)
            // Contrast with white falls as a color gets lighter.
            #expect(color.onDark.contrastWithWhite < color.contrastWithWhite)
            #expect(color.onDark.contrastWithWhite < 21 / 6 + 0.5)
        }
        #expect(try #require(AccentColor("#ffffff")).onDark.description == "#ffffff")
    }
}
