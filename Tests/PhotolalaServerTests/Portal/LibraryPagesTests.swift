import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The security policy and the input of the library pages.
@Suite struct LibraryPagesTests {
    private static let json: HTTPFields = [.contentType: "application/json", .accept: "application/json"]
    private static let photo =
        #"{"path":"a.jpg","md5":"0123456789abcdef0123456789abcdef","size":20,"head":"/9j/4AAQSkZJRgABAQAAAQAB"}"#

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test(
        "a library page runs only our own scripts, connects only to our origin and the store, and plays files to upload"
    )
    func policy() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            for path in ["/library", "/library/favorites", "/library/archive", "/library?q=beach", "/library/trash"] {
                let page = try await bob.send(.get, path)
                let (files, frames) = path == "/library/trash" ? ("", "") : (" blob:", "frame-src 'self'; ")
                #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
                #expect(
                    page.headers[.contentSecurityPolicy]
                        == "default-src 'none'; style-src 'self'; manifest-src 'self'; base-uri 'none'; "
                        + "frame-ancestors 'self'; \(frames)form-action 'self'; "
                        + "img-src 'self' http://127.0.0.1:9000; media-src 'self' http://127.0.0.1:9000\(files); "
                        + "script-src 'self'; worker-src 'self'; connect-src 'self' http://127.0.0.1:9000")
                let scripts = text(page).matches(of: /<script[^>]*>/)
                // Those of the page and of the suggestions.
                #expect(scripts.count == 2)
                #expect(scripts.allSatisfy { $0.0.contains(#" src="/assets/"#) })
                #expect(text(page).firstMatch(of: #/\s(on[a-z]+|style)=/#) == nil)
            }
            let activity = try await bob.send(.get, "/account/activity")
            #expect(activity.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            #expect(text(activity).matches(of: #/<script/#).count == 2)
        }
    }

    @Test("scripts have their media type and an unlimited cache lifetime, and a worker may load only scripts")
    func assets() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = text(try await bob.send(.get, "/library"))
            let script = String(try #require(page.firstMatch(of: /src="(\/assets\/[^"]+\/)library.js"/)?.1))
            for name in [
                "library.js", "upload.js", "photo_worker.js", "photo_reader.js", "dropped_files.js", "signed_put.js",
                "grid.js",
                "md5.js",
            ] {
                let asset = try await http.send(.get, script + name)
                #expect(asset.headers[.contentType] == "text/javascript; charset=utf-8")
                #expect(asset.headers[.contentSecurityPolicy] == "default-src 'none'; script-src 'self'")
                #expect(asset.headers[.cacheControl] == "public, max-age=31536000, immutable")
            }
        }
    }

    /// Returns the only account.
    static func user(_ service: TestService) async throws -> UserID {
        let listed = try await service.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1000).objects
        let id = try #require(listed.first?.key.description.split(separator: "/")[1])
        return try #require(UserID(String(id)))
    }

    /// Stores a catalog for an account that has none.
    static func putCatalog(_ text: String, _ user: UserID, _ service: TestService) async throws {
        let catalog = ByteBuffer(string: text)
        let digest = Insecure.MD5.hash(data: Data(catalog.readableBytesView))
        let md5 = digest.map { String(format: "%02x", $0) }.joined()
        let snapshot = try #require(ObjectKey(StorageLayout.catalogSnapshot(user, md5: md5)))
        let pointer = try #require(ObjectKey(StorageLayout.catalogPointer(user)))
        _ = try await service.store.put(snapshot, catalog, if: .absent)
        _ = try await service.store.put(pointer, ByteBuffer(string: md5), if: .absent)
    }

    @Test("a photo is shown in the month and at the local time of its capture")
    func localDates() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let user = try await Self.user(service)
            let rows = [
                ("a.jpg", "0123456789abcdef0123456789abcdef", "2026-01-01T08:00:00+09:00"),
                ("b.jpg", "1123456789abcdef0123456789abcdef", "2025-12-31T20:00:00-10:00"),
                ("c.jpg", "2123456789abcdef0123456789abcdef", "2025-12-31T23:00:00Z"),
            ].map { "\($0.0),\($0.1),5,2024-01-02T03:04:05Z,\($0.2),image/jpeg\n" }
            try await Self.putCatalog("path,md5,size,modified,taken,type\n\(rows.joined())", user, service)

            let page = text(try await bob.send(.get, "/library"))
            let headings = page.matches(of: /<h2[^>]*>([^<]+)</).map { String($0.1) }
            // The first is that of a dialog.
            #expect(headings == ["Add to album", "January 2026", "December 2025"])
            for alt in ["a.jpg, January 1, 2026", "b.jpg, December 31, 2025", "c.jpg, December 31, 2025"] {
                #expect(page.contains(alt), "\(alt)")
            }
            let photo = text(try await bob.send(.get, "/library/photo?id=0123456789abcdef0123456789abcdef&list=photos"))
            #expect(photo.contains(#/January 1, 2026 at 8:00.AM.\(UTC\+09:00\)/#), "\(photo)")
            let unknown = text(
                try await bob.send(.get, "/library/photo?id=2123456789abcdef0123456789abcdef&list=photos"))
            #expect(unknown.contains(#/December 31, 2025 at 11:00.PM</#), "\(unknown)")
        }
    }

    @Test("a photo with a preview is shown by it, also in a format that browsers do not show")
    func previews() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let user = try await Self.user(service)
            let types = ["image/jpeg", "image/heic", "video/mp4", "video/3gpp"]
            let digests = (1...types.count).map { String(repeating: "\($0)", count: 32) }
            let rows = zip(digests, types).map { "\($0),5,2024-01-02T03:04:05Z,,\($1)" }.enumerated()
                .map { "\($0).x,\($1)\n" }
            try await Self.putCatalog("path,md5,size,modified,taken,type\n\(rows.joined())", user, service)
            func page(_ digest: String) async throws -> String {
                text(try await bob.send(.get, "/library/photo?id=\(digest)&list=photos"))
            }
            let notice = "show this file type"
            for (digest, type) in zip(digests, types) {
                let bare = try await page(digest)
                #expect(!bare.contains("/previews/") && bare.contains(notice) == (type == "image/heic"))
                // The browser tries each video, and shows the thumbnail until it plays.
                #expect(bare.contains(#"src="/library/original?id=\#(digest)"#) == (type != "image/heic"))
                #expect(bare.contains("/thumbnails/\(user)/\(digest).jpg") == (type != "image/jpeg"))
            }
            for digest in digests {
                let key = ObjectKey(known: StorageLayout.preview(user, md5: digest))
                _ = try await service.store.put(key, ByteBuffer(string: "large"), if: .absent)
            }
            for (digest, type) in zip(digests, types) {
                let full = try await page(digest)
                let address = "/thumbnails/\(user)/previews/\(digest).jpg?"
                #expect(full.contains(address) && !full.contains("/thumbnails/\(user)/\(digest).jpg"))
                #expect(!full.contains(notice) && full.contains(" poster=") == type.hasPrefix("video/"))
                #expect(full.contains(#"src="/library/original?id=\#(digest)"#) == type.hasPrefix("video/"))
                #expect(full.contains("<noscript><p class=\"notice\">If this browser") == (type == "video/3gpp"))
            }
        }
    }

    @Test("an upload call requires a page's token and a well-formed body")
    func uploads() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let token = try await bob.formToken()
            func body(_ photos: [String], _ token: String) -> String {
                #"{"formToken":"\#(token)","photos":[\#(photos.joined(separator: ","))]}"#
            }
            let planned = try await bob.send(
                .post, "/library/uploads", json: body([Self.photo], token), headers: Self.json)
            #expect(planned.status == .ok && text(planned).contains(#""state":"send""#))
            #expect(!text(planned).contains(#""content-length":"#) && !text(planned).contains("isVideo"))
            let film = Self.photo.replacing("a.jpg", with: "a.mp4").replacing(
                #/"head":"[^"]*"/#, with: #""head":"AAAAFGZ0eXBpc29tAAAAAGlzb20=""#)
            let video = try await bob.send(.post, "/library/uploads", json: body([film], token), headers: Self.json)
            #expect(text(video).contains(#""isVideo":true"#))
            let others = [Self.photo.replacing("a.jpg", with: "../a.jpg"), Self.photo.replacing("/9j/", with: "AAAA")]
            let refused = try await bob.send(.post, "/library/uploads", json: body(others, token), headers: Self.json)
            #expect(text(refused) == #"{"photos":[{"state":"name"},{"state":"foreign"}]}"#)
            for path in ["/library/uploads", "/library/uploads/finish"] {
                let forged = try await bob.send(
                    .post, path, json: body([Self.photo.replacing("}", with: #","modified":1}"#)], "x"),
                    headers: Self.json)
                #expect(forged.status == .forbidden && text(forged).contains(#""code":"not_allowed""#))
                for wrong in [
                    "{}", body([], token), body(Array(repeating: Self.photo, count: 25), token),
                    body([Self.photo.replacing("0123", with: "XXXX")], token), "[", "",
                ] {
                    let answer = try await bob.send(.post, path, json: wrong, headers: Self.json)
                    #expect(answer.status == .badRequest, "\(path) \(wrong)")
                }
                if path.hasSuffix("finish") {
                    for color in ["000000", "A1B2C3", "#a1b2c", ""] {
                        let colored = Self.photo.replacing("}", with: #","modified":1,"color":"\#(color)"}"#)
                        let answer = try await bob.send(.post, path, json: body([colored], token), headers: Self.json)
                        #expect(answer.status == .badRequest, "\(color)")
                    }
                    for facts in [
                        #""duration":0"#, #""duration":-1"#, #""duration":1.5"#, #""duration":4294967296"#,
                        #""camera":"Canon""#, #""camera":{}"#, #""camera":{"make":""}"#,
                        #""camera":{"model":"\#(String(repeating: "a", count: 101))"}"#,
                    ] {
                        let wrong = Self.photo.replacing("}", with: #","modified":1,\#(facts)}"#)
                        let answer = try await bob.send(.post, path, json: body([wrong], token), headers: Self.json)
                        #expect(answer.status == .badRequest, "\(facts)")
                    }
                }
                let form = try await bob.send(
                    .post, path, json: "a=b", headers: [.contentType: "application/x-www-form-urlencoded"])
                #expect(form.status == .unsupportedMediaType)
                let unknown = try await http.send(.post, path, json: body([Self.photo], token), headers: Self.json)
                #expect(unknown.status == .unauthorized)
            }
        }
    }

    @Test("an upload can be from an export of Google Photos, whose albums are filled")
    func takeout() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let token = try await bob.formToken()
            for (source, status) in [("takeout", HTTPResponse.Status.ok), ("elsewhere", .badRequest)] {
                let photo = Self.photo.replacing("}", with: #","source":"\#(source)"}"#)
                let planned = try await bob.send(
                    .post, "/library/uploads", json: #"{"formToken":"\#(token)","photos":[\#(photo)]}"#,
                    headers: Self.json)
                #expect(planned.status == status)
            }
            for (folder, status) in [("Albums/Rome", HTTPResponse.Status.ok), ("2023", .badRequest)] {
                let filled = try await bob.send(
                    .post, "/library/uploads/albums", json: #"{"formToken":"\#(token)","albums":["\#(folder)"]}"#,
                    headers: Self.json)
                #expect(filled.status == status)
            }
        }
    }

    @Test("a malformed request returns 400, an unknown photo 404, and an outdated library 412")
    func refusals() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let token = try await bob.formToken()
            for (path, status) in [
                ("/library/blocks", 400), ("/library/blocks?list=photos&name=none", 400),
                ("/library/blocks?list=others&name=none&from=0", 400),
                ("/library/blocks?list=photos&name=none&from=0", 404),
                ("/library/blocks?list=photos&name=other&from=0", 412),
                ("/library/photo?id=0123456789abcdef0123456789abcdef", 404), ("/library/photo", 404),
                ("/library/photo?id=../x", 404), ("/library/original", 404), ("/library/download?id=x", 404),
                ("/library?from=-1", 200), ("/library?from=99999999999999999999", 200),
            ] {
                #expect(try await bob.send(.get, path).status.code == status, "\(path)")
            }
            let none = try await bob.send(
                .post, "/library/trash", json: "form_token=\(token)",
                headers: [.contentType: "application/x-www-form-urlencoded"])
            #expect(none.headers[.location] == "/library?from=0&done=0")
            // A signed-out script gets an error and no redirect.
            let block = try await http.send(
                .get, "/library/blocks?list=photos&name=none&from=0", headers: [.accept: "application/json"])
            #expect(block.status == .unauthorized && text(block).contains(#""code":"unauthorized""#))
        }
    }
}
