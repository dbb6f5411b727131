import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// The months of the photo grid, the list that leads to them, and the state of a list.
@Suite struct GridPagesTests {
    /// Shows a library with numbers of photos in successive months, the newest first.
    private func with(
        _ months: [Int], _ test: @Sendable (inout PortalVisitor) async throws -> Void
    ) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            var rows = ""
            for (month, count) in months.enumerated() {
                for photo in 0..<count {
                    let md5 = String(format: "%02x%030x", month + 1, photo)
                    let date = String(format: "%d-%02d-%02dT10:00:00Z", 2025 - month / 12, 12 - month % 12, photo + 1)
                    rows += "\(month)/\(photo).jpg,\(md5),5,2024-01-02T03:04:05Z,\(date),image/jpeg\n"
                }
            }
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\n\(rows)", try await LibraryPagesTests.user(service), service)
            try await test(&bob)
        }
    }

    @Test("successive months with few photos share rows, in the page and for its script")
    func shortMonths() async throws {
        try await with([2, 3, 7, 1, 2]) { bob in
            let page = try await bob.page("/library")
            let parts = page.matches(of: /<div class="short ends">|<section><h2>([^<]+)<|<\/section><\/div>/).map {
                $0.1.map { String($0.prefix(3)) } ?? ($0.0.hasPrefix("<d") ? "(" : ")")
            }
            #expect(parts == ["(", "Dec", "Nov", ")", "Oct", "(", "Sep", "Aug", ")"])
            #expect(page.matches(of: /isShort&quot;:true/).count == 4)
            #expect(page.matches(of: /opensRow&quot;:true/).count == 2)
        }
    }

    @Test("the list of months is grouped by year, and hidden where the photos fill less than two windows")
    func jumps() async throws {
        try await with([2, 3]) { bob in
            let page = try await bob.page("/library")
            #expect(page.contains(#"popovertarget="months" hidden>"#))
        }
        try await with([Int](repeating: 5, count: 14)) { bob in
            let page = try await bob.page("/library")
            #expect(page.contains(/popovertarget="months">/))
            let names = page.matches(of: /<p id="year-(\d+)">|<li><a href="[^"]+">(\w+)<\/a> <small>5</).map {
                String($0.1 ?? $0.2 ?? "")
            }
            #expect(names.prefix(3) == ["2025", "December", "November"])
            #expect(names.suffix(3) == ["2024", "December", "November"])
        }
    }

    @Test("the days of a short album are in one row, with a year")
    func shortAlbum() async throws {
        try await with([16, 16]) { bob in
            let created = try await bob.post("/library/albums", "name=Rome")
            let album = try #require(created.headers[.location])
            let add = "target=\(album.suffix(16))&\(String(format: "01%030x=1&02%030x=1", 1, 2))"
            _ = try await bob.post("/library/albums/add", add)
            let page = try await bob.page(album)
            #expect(page.matches(of: /<div class="short ends">/).count == 1)
            let dates = page.matches(of: /<h3 title="(.*?)" data-short="(.*?)"><span>(.*?)<\/span>/)
            #expect(
                dates.map { "\($0.1)|\($0.2)|\($0.3)" } == [
                    "December 2, 2025|Dec 2|Dec 2, 2025", "November 3, 2025|Nov 3|Nov 3, 2025",
                ])
            let library = try await bob.page("/library")
            #expect(!library.contains("<div class=\"short"))
            #expect(library.contains(#"<h3 title="December 2, 2025" data-short="Dec 2"><span>Dec 2, 2025</span></h3>"#))
        }
    }

    @Test("the dates of the current year have the weekday instead of the year")
    func currentYear() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let day = service.clock.now.formatted(.iso8601.year().month().day())
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\na.jpg,\(String(repeating: "a", count: 32)),5,"
                    + "2024-01-02T03:04:05Z,\(day)T00:00:00Z,image/jpeg\n",
                try await LibraryPagesTests.user(service), service)
            let page = try await bob.page("/library")
            #expect(page.contains(/data-short="\w{3} \d+"><span>\w{3}, \w{3} \d+</))
        }
    }

    @Test("successive short months are below one title, and the first photo of an earlier year has it above its date")
    func years() async throws {
        try await with([Int](repeating: 2, count: 13)) { bob in
            let page = try await bob.page("/library")
            #expect(page.matches(of: /<p class="month" aria-hidden="true">December 2025<\/p>/).count == 1)
            #expect(page.matches(of: /data-year="(\d+)"/).map { String($0.1) } == ["2024"])
            #expect(page.matches(of: /opensYear&quot;:true/).count == 1)
            let blocks = try await bob.page("/library/blocks?list=photos&name=\(try name(of: page))&from=12")
            #expect(blocks.contains(/<li class="first" data-year="2024"/))
        }
    }

    @Test("a panorama with more pixels than thumbnails has the address of its preview, or of a small original")
    func panoramas() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let sizes = [(3000, 1000, 5), (3010, 1000, 5), (3020, 1000, 2_000_000), (800, 200, 5)]
            let rows = sizes.enumerated().map { number, size in
                "\(number).jpg,\(String(format: "%032x", number + 1)),\(size.2),2024-01-02T03:04:05Z,"
                    + "2024-01-02T03:04:0\(9 - number)Z,image/jpeg,\(size.0),\(size.1),,,,\n"
            }
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed\n\(rows.joined())",
                try await LibraryPagesTests.user(service), service)
            let page = try await bob.page("/library")
            let photos = page.matches(of: /<li(?: class="([a-z ]*)")? data-ratio="([0-9.]+)".*?<img src="(\S+)"(.*?)>/)
            #expect(
                photos.map { "\($0.2) \($0.1 ?? "")" } == [
                    "3.000 first", "3.010 panorama", "3.020 panorama", "4.000 panorama",
                ])
            #expect(photos.allSatisfy { $0.3.contains("/thumbnails/") && !$0.3.contains("/previews/") })
            let large = photos.map { $0.4.firstMatch(of: /data-sharper="\S+?\/(photos|previews)\/\S*?0{31}(\d)/) }
            #expect(large.map { $0.map { "\($0.1) \($0.2)" } } == [nil, "photos 2", "previews 3", nil])
        }
    }

    private func name(of page: String) throws -> String {
        String(try #require(page.firstMatch(of: /data-state="\/library\/state" .*?data-name="([^"]+)"/)?.1))
    }

    @Test("a page that is opened at a month has all months that share its rows, and the script learns their photos")
    func group() async throws {
        try await with([20, 3, 2, 4]) { bob in
            let page = try await bob.page("/library?from=3")
            #expect(page.contains(#"data-from="3""#))
            #expect(page.matches(of: /data-block="(\d)"/).map { String($0.1) } == ["1", "2", "3"])
            // Four photos of usual proportions, each the first of its day.
            #expect(page.contains("[[4,4,5,-1333,-1333,-1333,-1333]]"))
        }
    }

    @Test("the state of a list has the name that its page has, and another one after a change")
    func state() async throws {
        try await with([2]) { bob in
            let page = try await bob.page("/library")
            let name = try name(of: page)
            let before = try await bob.page("/library/state?list=photos")
            #expect(before == #"{"name":"\#(name)"}"#)
            _ = try await bob.post("/library/trash", "\(String(format: "01%030x", 1))=1")
            let after = try await bob.page("/library/state?list=photos")
            #expect(after != before && after.hasPrefix(#"{"name":""#))
            #expect(try await bob.send(.get, "/library/state").status == .badRequest)
            #expect(try await bob.send(.get, "/library/state?list=photos&album=none").status == .notFound)
        }
    }
}
