import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Options that select photos") struct FilterOptionsTests {
    private func options(_ arguments: String...) throws -> FilterOptions { try FilterOptions.parse(arguments) }

    @Test(
        "a day, month or year has a start and an end",
        arguments: [
            ("2024-02-29", "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"),
            ("2024-12", "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z"),
            ("1999", "1999-01-01T00:00:00Z", "2000-01-01T00:00:00Z"),
        ]
    )
    func dates(_ text: String, _ start: String, _ end: String) throws {
        let date = try #require(DateOption(argument: text))
        #expect(date.start.ISO8601Format() == start)
        #expect(date.end.ISO8601Format() == end)
    }

    @Test(
        "a malformed date is rejected",
        arguments: [
            "", "24", "2024-", "2024-13", "2023-02-29", "2024-06-31", "2024-1-1", "0000", "2024-01-01T00:00:00Z",
            "²024",
        ]
    )
    func noDates(_ text: String) { #expect(DateOption(argument: text) == nil) }

    @Test(
        "sizes accept decimal and binary units",
        arguments: [
            ("0", 0), ("500", 500), ("500B", 500), ("1k", 1000), ("1.5MB", 1_500_000), ("2GiB", 2 << 30),
            ("2gi", 2 << 30),
            ("3 TB", 3_000_000_000_000), ("0.5KiB", 512),
        ] as [(String, Int64)]
    )
    func sizes(_ text: String, _ bytes: Int64) { #expect(SizeOption(argument: text)?.bytes == bytes) }

    @Test("invalid sizes are rejected", arguments: ["", "MB", "-1", "1XB", "1iB", "1.2.3", "1e9", "nan", "99999999PB"])
    func noSizes(_ text: String) { #expect(SizeOption(argument: text) == nil) }

    @Test("options combine into one filter, and no options match all photos")
    func filter() throws {
        let none = try options()
        #expect(!none.isSpecified)
        #expect(none.filter == PhotoFilter())
        let some = try options(
            "2023", "a.jpg", "--since", "2023-05", "--until", "2023-06", "--type", "video", "--type", "jpg", "--name",
            "img*",
            "--larger", "1MB", "--smaller", "1GB"
        )
        #expect(some.isSpecified)
        let filter = some.filter
        #expect(filter.paths == ["2023", "a.jpg"])
        #expect(filter.from?.ISO8601Format() == "2023-05-01T00:00:00Z")
        #expect(filter.before?.ISO8601Format() == "2023-07-01T00:00:00Z")
        #expect(filter.kinds == [.video, try #require(PhotoKind("jpg"))])
        #expect(filter.name == "img*")
        #expect(filter.smallest == 1_000_000 && filter.largest == 1_000_000_000)
    }

    @Test("favorites and hidden photos are selected or excluded")
    func marks() throws {
        #expect(try options("--hidden").filter.isHidden == true && options("--hidden").isSpecified)
        #expect(try options("--no-hidden").filter.isHidden == false && options().filter.isHidden == nil)
        #expect(try options("--favorites").filter.isFavorite == true && options("--favorites").isSpecified)
        #expect(try options("--no-favorites").filter.isFavorite == false)
        #expect(try options().filter.isFavorite == nil)
    }

    @Test("a sample is a number or a percentage of photos")
    func samples() {
        #expect(SampleOption(argument: "500")?.sample == .photos(500))
        #expect(SampleOption(argument: "2.5%")?.sample == .percent(2.5))
        for text in ["", "0", "-1", "0%", "101%", "nan%", "many"] { #expect(SampleOption(argument: text) == nil) }
    }

    @Test("the document lists every option that selects photos")
    func documented() throws {
        let text = try CommandLineDocument.text()
        for option in ["--since", "--until", "--type", "--name", "--larger", "--smaller"] {
            #expect(text.contains("`\(option) "), "\(option)")
        }
    }
}
