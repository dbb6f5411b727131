import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

@Suite("The article about showing photos") struct ShowingPhotosTests {
    @Test("all lines of its code are in the example, in order")
    func code() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = root.appendingPathComponent(
            "Sources/PhotolalaClient/Documentation.docc/Articles/ShowingPhotos.md")
        let blocks = try String(contentsOf: article, encoding: .utf8).split(separator: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.flatMap { lines($0.element.dropFirst("swift".count)) }
        var rest = lines(try String(contentsOf: tests.appendingPathComponent("ShowingExample.swift"), encoding: .utf8))[
            ...]
        #expect(blocks.count > 15)
        for line in blocks {
            let place = try #require(rest.firstIndex(of: line), "\(line)")
            rest = rest[(place + 1)...]
        }
    }

    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("the example shows every photo and opens an original")
    func run() async throws {
        try await ViewingFixture.with { fixture in
            for seed in 1...3 { _ = try await fixture.addWithThumbnail("\(seed).jpg", seed: seed) }
            try await fixture.add("4.jpg", seed: 4)
            let shown = Mutex<[String: Data]>([:])
            try await ShowingExample().fill(fixture.library) { thumbnail, photo in
                shown.withLock { $0[photo.path] = thumbnail ?? Data() }
            }
            let expected = [
                "1.jpg": fixture.thumbnail(1), "2.jpg": fixture.thumbnail(2), "3.jpg": fixture.thumbnail(3),
                "4.jpg": Data(),
            ]
            #expect(shown.withLock { $0 } == expected)
            let photo = try #require(try await fixture.library.photos().first)
            let original = try await ShowingExample().open(photo, in: fixture.library) { _ in
            } _: { _ in
            }
            #expect(try Data(contentsOf: try #require(original).url) == Data(PhotoBytes.jpeg(1)))
        }
    }
}
