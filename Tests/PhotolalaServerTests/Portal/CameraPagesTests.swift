import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// Cameras of photos and durations of videos in the portal.
@Suite struct CameraPagesTests {
    private static let columns =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude,color,"
        + "duration,camera"
    private static let rows = [
        ("a.jpg", "image/jpeg", ",Apple iPhone 15"), ("b.mp4", "video/mp4", "3723400,Apple iPhone 15"),
        ("c.jpg", "image/jpeg", ",<b>&Co"), ("d.mp4", "video/mp4", "400,"), ("e.mp4", "video/mp4", ","),
    ]

    private static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }

    private func with(_ test: @Sendable (inout PortalVisitor) async throws -> Void) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = Self.rows.enumerated().map {
                "\($1.0),\(Self.md5($0)),5,2024-01-0\($0 + 1)T03:04:05Z,,\($1.1),,,,1@0000000a,,,,,,\($1.2)\n"
            }
            try await LibraryPagesTests.putCatalog(
                "\(Self.columns)\n\(rows.joined())", try await LibraryPagesTests.user(service), service)
            try await test(&bob)
        }
    }

    @Test(
        "a search finds photos by words of their camera's name, or by its name",
        arguments: [
            ("q=iphone", [2, 1]), ("q=iphone+mp4", [2]), ("camera=Apple%20iPhone%2015", [2, 1]),
            ("camera=Apple%20iPhone%2015&kind=video", [2]), ("camera=Apple", []), ("q=%3Cb%3E", [3]),
        ])
    func searches(_ query: String, _ expected: [Int]) async throws {
        try await with { bob in
            let page = try await bob.page("/library?\(query)")
            #expect(PortalVisitor.shown(page) == expected && !page.contains("<b>"))
        }
    }

    @Test(
        "a search offers the kinds that it finds, and the chosen or named one",
        arguments: [
            ("q=", ["All*", "Photos", "Videos"]), ("q=jpg", ["All*", "Photos"]), ("q=videos", ["All", "Videos*"]),
            ("q=raw", ["All", "RAW*"]), ("kind=video", ["All", "Photos", "Videos*"]),
            ("kind=raw", ["All", "Photos", "Videos", "RAW*"]), ("q=nothing", ["All*"]),
            ("q=&camera=Apple%20iPhone%2015&kind=photo", ["All", "Photos*", "Videos"]),
        ])
    func kinds(_ query: String, _ expected: [String]) async throws {
        try await with { bob in
            let page = try await bob.page("/library?\(query)")
            let pattern = #/<li><a href="\/library\?[^"]*"( aria-current="true")?>([A-Za-z]+)<\/a><\/li>/#
            let kinds = page.matches(of: pattern).map { "\($0.2)\($0.1 == nil ? "" : "*")" }
            #expect(kinds == expected && !page.contains(#"class="toggle""#))
        }
    }

    @Test("all kinds of a search that names one are found without the word")
    func allKinds() async throws {
        try await with { bob in
            let page = try await bob.page("/library?q=2024+videos")
            #expect(page.contains(#"<a href="/library?q=2024">All</a>"#))
        }
    }

    @Test("a search offers the cameras of the library, and the chosen one to be given up")
    func filters() async throws {
        try await with { bob in
            let page = try await bob.page("/library?q=2024")
            let phone = #"<a href="/library?q=2024&amp;camera=Apple%20iPhone%2015"><bdi>Apple iPhone 15</bdi></a>"#
            #expect(page.contains(phone) && page.contains("<bdi>&lt;b&gt;&amp;Co</bdi></a>"))
            // Each leads to photos.
            let videos = try await bob.page("/library?q=mp4")
            #expect(videos.contains("<bdi>Apple iPhone 15</bdi></a>") && !videos.contains("&amp;Co"))
            let chosen = try await bob.page("/library?camera=Apple%20iPhone%2015")
            #expect(chosen.contains(#"<a href="/library?q=" aria-current="true"><bdi>Apple iPhone 15</bdi></a>"#))
            #expect(chosen.contains(#"<input type="hidden" name="camera" value="Apple iPhone 15">"#))
            #expect(chosen.contains("kind=video&amp;camera=Apple%20iPhone%2015"))
            #expect(chosen.contains("<h1><bdi>Apple iPhone 15</bdi></h1>"))
            #expect(try await !bob.page("/library").contains("Apple iPhone"))
            #expect(try await bob.send(.get, "/library?camera=%3D1").status == .notFound)
        }
    }

    @Test(
        "the chosen camera comes first, then the most used others of the search, also if it has no photos",
        arguments: [
            ("camera=Apple%20iPhone%2015", [2, 1], ["Apple iPhone 15", "&lt;b&gt;&amp;Co"]),
            ("camera=%3Cb%3E%26Co", [3], ["&lt;b&gt;&amp;Co", "Apple iPhone 15"]),
            ("camera=%3Cb%3E%26Co&q=mp4", [], ["&lt;b&gt;&amp;Co", "Apple iPhone 15"]),
            ("camera=Nikon&kind=photo", [], ["Nikon", "&lt;b&gt;&amp;Co", "Apple iPhone 15"]),
            ("camera=Nikon&q=nothing", [], ["Nikon"]),
        ])
    func others(_ query: String, _ photos: [Int], _ cameras: [String]) async throws {
        try await with { bob in
            for _ in 1...2 {
                let page = try await bob.page("/library?\(query)")
                #expect(PortalVisitor.shown(page) == photos && Self.offered(page) == cameras)
                #expect(page.contains(#"aria-current="true"><bdi>\#(cameras[0])</bdi>"#))
            }
        }
    }

    @Test("at most eight cameras are offered")
    func most() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = (10..<20).map {
                "\($0).jpg,\(String(repeating: "\($0)", count: 16)),5,2024-01-02T03:04:05Z,,image/jpeg,,,,1@0000000a,,,,,,,C\($0)\n"
            }
            try await LibraryPagesTests.putCatalog(
                "\(Self.columns)\n\(rows.joined())", try await LibraryPagesTests.user(service), service)
            #expect(Self.offered(try await bob.page("/library?q=")) == (10..<18).map { "C\($0)" })
            let chosen = try await bob.page("/library?camera=C19")
            #expect(Self.offered(chosen) == ["C19"] + (10..<17).map { "C\($0)" })
        }
    }

    /// Returns the names of the cameras that a page offers.
    private static func offered(_ page: String) -> [String] {
        page.matches(of: /<li><a href="[^"]+"(?: aria-current="true")?><bdi>([^<]+)<\/bdi><\/a><\/li>/).map {
            String($0.1)
        }
    }

    @Test("the page of a photo leads to all photos of its camera, and a video's has the duration")
    func photo() async throws {
        try await with { bob in
            let video = try await bob.page("/library/photo?id=\(Self.md5(1))&list=photos")
            let camera = #"<a href="/library?camera=Apple%20iPhone%2015"><bdi>Apple iPhone 15</bdi></a>"#
            #expect(video.contains(camera) && video.contains("<dt>Duration</dt><dd><bdi>1:02:03</bdi></dd>"))
            #expect(!video.contains("data-camera") && !video.contains("data-duration"))
            let plain = try await bob.page("/library/photo?id=\(Self.md5(4))&list=photos")
            #expect(plain.contains(#"data-camera="Camera""#) && plain.contains(#"data-duration="Duration""#))
            #expect(!plain.contains("<dt>Camera</dt>") && !plain.contains("<dt>Duration</dt>"))
        }
    }

    @Test("a shared link shows the duration of a video, and no camera")
    func shared() async throws {
        try await with { bob in
            let form = "\(Self.md5(1))=1&share=photos&title=Summer&expires=30&downloads=1"
            let created = try await bob.post("/library/shared/new", form)
            let page = try await bob.page(try #require(created.headers[.location]))
            let link = String(try #require(page.firstMatch(of: /value="https?:\/\/[^\/"]+(\/s\/[^"]+)"/)?.1))
            let grid = try await bob.page(link)
            #expect(grid.contains("Video, 1 hour, 2 minutes, 3 seconds") && !grid.contains("iPhone"))
            let video = try await bob.page("\(link)/photo?id=\(Self.md5(1))")
            #expect(video.contains("<dt>Duration</dt><dd><bdi>1:02:03</bdi></dd>") && !video.contains("iPhone"))
        }
    }

    @Test(
        "a video's tile has its duration, in words of the language for screen readers",
        arguments: [
            ("en", "Video, 1 hour, 2 minutes, 3 seconds", "Video, 1 second", "Video"),
            ("de", "Video, 1 Stunde, 2 Minuten und 3 Sekunden", "Video, 1 Sekunde", "Video"),
            ("ja", "動画, 1時間 2分 3秒", "動画, 1秒", "動画"), ("ko", "동영상, 1시간 2분 3초", "동영상, 1초", "동영상"),
            ("es", "Vídeo, 1 hora, 2 minutos y 3 segundos", "Vídeo, 1 segundo", "Vídeo"),
        ])
    func tiles(_ language: String, _ long: String, _ short: String, _ unknown: String) async throws {
        try await with { bob in
            let response = try await bob.send(.get, "/library", headers: [.acceptLanguage: language])
            let page = String(buffer: response.body)
            for (words, clock) in [(long, "1:02:03"), (short, "0:01")] {
                #expect(
                    page.contains(#"<span class="unseen">\#(words)</span><span aria-hidden="true">\#(clock)</span>"#))
            }
            #expect(page.contains(#"<span class="video"><span>\#(unknown)</span></span>"#))
        }
    }
}
