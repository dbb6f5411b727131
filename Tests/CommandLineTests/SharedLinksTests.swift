import Foundation
import PhotolalaClient
import Testing

@testable import photolala

/// The commands for shared links.
@Suite struct SharedLinksTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func text(
        album: String? = nil, photos: Int? = 1, ends: TimeInterval? = nil, views: Int = 0, marks: Bool = false,
        isDisabled: Bool = false
    ) -> String {
        let link = ListedSharedLink(
            id: "id", address: "https://photos.example/s/x", title: "Sum\u{7}mer", album: album, photos: photos,
            createdAt: Self.now, expiresAt: ends.map { Self.now.addingTimeInterval($0) }, hasPassword: marks,
            allowsDownloads: marks, includesLocation: marks, views: views, isDisabled: isDisabled)
        return SharedLinksResult(links: [link], now: Self.now).text
    }

    @Test func `a link is listed with what it shows, its state and its address`() {
        #expect(text().hasSuffix("mer”, 1 photo, 0 views, does not expire\n    https://photos.example/s/x"))
        #expect(!text().contains("\u{7}"))
        #expect(
            text(album: "a", photos: nil, views: 1, marks: true).contains(
                "album, 1 view, does not expire, password, downloads, location\n"))
        #expect(text(ends: 60).contains("0 views, until 2027-01-1"))
        #expect(text(ends: 0).contains("0 views, expired\n"))
        #expect(text(ends: 60, isDisabled: true).contains("0 views, disabled by the operator\n"))
    }

    @Test func `JSON has the links alone`() throws {
        let result = SharedLinksResult(links: [], now: Self.now)
        #expect(String(decoding: try JSONEncoder().encode(result), as: UTF8.self) == #"{"links":[]}"#)
    }

    @Test func `a link ends after days, at the end of a day, or never`() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let days = try #require(ExpiryOption(argument: "7d"))
        #expect(days.end(from: Self.now, in: zone) == Self.now.addingTimeInterval(7 * 86_400))
        let day = try #require(ExpiryOption(argument: "2026-12-31"))
        #expect(day.end(from: Self.now, in: zone)?.ISO8601Format() == "2026-12-31T15:00:00Z")
        let never = try #require(ExpiryOption(argument: "never"))
        #expect(never.end(from: Self.now, in: zone) == nil)
    }

    @Test(arguments: [
        "", "d", "0d", "-1d", "3651d", "1.5d", "7", "7h", "2026", "2026-12", "2026-02-30", "always", "9999-12-31",
    ])
    func `other times are refused`(_ text: String) { #expect(ExpiryOption(argument: text) == nil) }

    @Test(
        arguments: [
            ([], false), (["a.jpg"], true), (["--album", "Rome"], true), (["--album", "Rome", "a.jpg"], false),
            (["--album", ""], false), (["a.jpg", "--title", " "], false),
            (["a.jpg", "--title", String(repeating: "é", count: 129)], false),
            (["a.jpg", "--expires", "2020-01-01"], false),
            (["a.jpg", "--expires", "never", "--password-file", "-"], true),
        ] as [([String], Bool)])
    func `a new link shows either an album or photos`(_ words: [String], _ isValid: Bool) {
        let command = try? Photolala.parseAsRoot(["share", "create"] + words)
        #expect((command != nil) == isValid)
    }

    @Test func `a password comes from a file of its owner alone`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "password-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func password(_ text: String, mode: Int = 0o600) throws -> String {
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            return try PasswordFile.line(of: file.path, longest: 16)
        }
        #expect(try password("correct horse\nsecond line") == "correct horse")
        #expect(try password("0123456789abcdef") == "0123456789abcdef")
        for text in ["", "short\nbattery staple", "0123456789abcdefg", "ééééééééé"] {
            #expect(throws: CommandFailure.self) { try password(text) }
        }
        #expect(throws: CommandFailure.self) { try password("correct horse", mode: 0o640) }
        #expect(throws: CommandFailure.self) { try password("correct\u{1b}horse") }
        #expect(try password("\u{feff}correct horse") == "correct horse")
        let link = file.appendingPathExtension("link")
        defer { try? FileManager.default.removeItem(at: link) }
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try PasswordFile.line(of: link.path) == "correct horse")
        try Data([0x63, 0xe9] + Array("rect horse".utf8)).write(to: file)
        #expect(throws: CommandFailure.self) { try PasswordFile.line(of: link.path) }
    }
}
