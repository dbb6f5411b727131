import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Permanent deletion from the trash, page by page.
@Suite struct PurgePagesTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    private static func photo(_ number: Int) -> ByteBuffer {
        ByteBuffer(bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF \(number)".utf8))
    }

    private static func md5(_ number: Int) -> ContentDigest { ContentDigest(of: photo(number)) }

    /// Signs Bob up and moves photos to his trash.
    private func bob(
        _ service: TestService, _ http: HTTPExchange, trash count: Int
    ) async throws -> (visitor: PortalVisitor, caller: Caller, token: String) {
        var bob = PortalVisitor(http)
        try await bob.signUp(service, as: "bob")
        let cookie = try #require(bob.cookies.first { $0.key.hasSuffix("-session") }?.value)
        let caller = try await service.services.authenticator.authenticate(browserCookie: cookie)
        for start in stride(from: 0, to: count, by: 100) {
            let numbers = start..<min(count, start + 100)
            var arrivals: [UploadedPhoto] = []
            for number in numbers {
                let md5 = Self.md5(number)
                let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: md5.description))
                _ = try await service.store.put(key, Self.photo(number), if: .always)
                arrivals.append(
                    UploadedPhoto(
                        path: try #require(LibraryPath("\(number).jpg")), md5: md5,
                        modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0)))
            }
            _ = try await service.services.libraryUploads.finishUploads(arrivals, caller: caller)
        }
        _ = try await service.services.library.moveToTrash(Set((0..<count).map(Self.md5)), caller: caller)
        return (bob, caller, try await bob.formToken())
    }

    /// Returns the fields of a page's form, encoded for submission.
    private func fields(of page: String) throws -> String {
        let form = try #require(page.firstMatch(of: /<main[\s\S]*?(<form method="post"[^>]*>[\s\S]*?<\/form>)/)?.1)
        return form.matches(of: /name="([^"]+)" value="([^"]*)"/).map { "\($0.1)=\($0.2)" }.joined(separator: "&")
    }

    @Test func `deleting chosen photos requires a confirmation that states their number and is final`()
        async throws
    {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, caller, token) = try await bob(service, http, trash: 3)
            let page = text(try await bob.send(.get, "/library/trash"))
            let day = try #require(page.firstMatch(of: /<h3 title="([^"]+)" data-short="([^"]+)"><span>([^<]+)</))
            #expect(day.1.hasPrefix("Moved to trash on ") && day.3.hasPrefix("Moved to trash on "))
            #expect(day.2.hasPrefix("Moved ") && day.2.count < day.3.count)
            #expect(
                page.contains(#"formaction="/library/trash/delete""#)
                    && page.contains(#"action="/library/trash/empty""#))
            let fields = "form_token=\(token)&from=0&\(Self.md5(0))=1&\(Self.md5(1))=1"
            let asked = try await bob.send(.post, "/library/trash/delete", json: fields, headers: Self.form)
            #expect(asked.status == .ok && text(asked).contains("permanently deletes 2 items ("))
            #expect(text(asked).contains("can’t be undone"))
            #expect(
                try await service.services.library.showLibrary(caller).trash.photos.count == 3,
                "the confirmation page deletes nothing")
            let done = try await bob.send(
                .post, "/library/trash/delete", json: try self.fields(of: text(asked)), headers: Self.form)
            #expect(done.headers[.location] == "/library/trash?from=0&purged=2")
            #expect(try await service.services.library.showLibrary(caller).trash.photos.map(\.md5) == [Self.md5(2)])
            let told = text(try await bob.send(.get, "/library/trash?from=0&purged=2"))
            #expect(told.contains("2 items permanently deleted"))
        }
    }

    @Test func `a large trash is emptied in batches by submitting each page's form`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let count = LibraryService.purgeBatchSize + 2
            var (bob, caller, token) = try await bob(service, http, trash: count)
            let path = "/library/trash/empty"
            let asked = try await bob.send(.post, path, json: "form_token=\(token)", headers: Self.form)
            #expect(text(asked).contains("permanently deletes \(count) items ("))
            let part = try await bob.send(.post, path, json: try fields(of: text(asked)), headers: Self.form)
            #expect(part.status == .ok && text(part).contains("Deleted: \(LibraryService.purgeBatchSize) of \(count)"))
            #expect(text(part).contains(#"id="purge""#) && text(part).contains(#"<progress value="500" max="502""#))
            #expect(try await service.services.library.showLibrary(caller).trash.photos.count == 2)
            let last = try await bob.send(.post, path, json: try fields(of: text(part)), headers: Self.form)
            #expect(last.headers[.location] == "/library/trash?from=0&purged=\(count)")
            #expect(try await service.services.library.showLibrary(caller).trash.photos.isEmpty)
            // Submitting the form of an earlier page has no effect.
            let old = try await bob.send(.post, path, json: try fields(of: text(part)), headers: Self.form)
            #expect(old.headers[.location] == "/library/trash?from=0")
        }
    }

    @Test func `a photo that enters the trash after the confirmation page requires another confirmation`() async throws
    {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, caller, token) = try await bob(service, http, trash: 2)
            let path = "/library/trash/empty"
            _ = try await service.services.library.restoreFromTrash([Self.md5(1)], caller: caller)
            let asked = try await bob.send(.post, path, json: "form_token=\(token)", headers: Self.form)
            _ = try await service.services.library.moveToTrash([Self.md5(1)], caller: caller)
            let again = try await bob.send(.post, path, json: try fields(of: text(asked)), headers: Self.form)
            #expect(again.status == .ok && text(again).contains("permanently deletes 2 items ("))
            #expect(text(again).contains("The trash has changed") && !text(asked).contains("The trash has changed"))
            #expect(try await service.services.library.showLibrary(caller).trash.photos.count == 2)
        }
    }

    @Test func `without recent authentication, a deletion continues with its question after reauthentication`()
        async throws
    {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, caller, token) = try await bob(service, http, trash: 1)
            service.clock.advance(by: 601)
            let page = text(try await bob.send(.get, "/library/trash"))
            #expect(page.contains(#"action="/library/trash/empty""#) && page.contains(#"data-addressed="45""#))
            let photo = "\(Self.md5(0))=1"
            let many = (0...45).map { "\(Self.md5($0))=1" }.joined(separator: "&")
            for (path, fields, question) in [
                ("/library/trash/empty", "", "/library/trash/empty?form_token="),
                ("/library/trash/delete", "&\(photo)", "/library/trash/delete?form_token="),
                ("/library/trash/delete", "&\(many)", "/library/trash"),
            ] {
                let form = "form_token=\(token)&confirmed=1&mark=\(Self.md5(0))\(fields)"
                let refused = try await bob.send(.post, path, json: form, headers: Self.form)
                let confirm = try #require(refused.headers[.location])
                let address = try #require(confirm.removingPercentEncoding?.split(separator: "to=").last)
                #expect(
                    address.hasPrefix(question)
                        && (!fields.contains(photo) || fields.count > 100 || address.hasSuffix(photo)))
                // The question itself needs the reauthentication, too.
                let asked = try await bob.send(.get, String(address))
                #expect(question == "/library/trash" ? asked.status == .ok : asked.headers[.location] == confirm)
            }
            #expect(try await service.services.library.showLibrary(caller).trash.photos.count == 1)
        }
    }

    @Test func `the address of a question shows it and deletes nothing`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, caller, token) = try await bob(service, http, trash: 2)
            service.clock.advance(by: 601)
            let confirm = try await bob.send(
                .post, "/library/trash/empty", json: "form_token=\(token)", headers: Self.form)
            let address = try #require(
                confirm.headers[.location]?.removingPercentEncoding?.split(separator: "to=").last)
            let mark = try #require(address.split(separator: "?").last)
            #expect(try await bob.signIn(service, as: "bob", from: "/sign-in").status == .seeOther)
            for (path, count) in [("empty?confirmed=1", 2), ("delete?\(Self.md5(0))=1&confirmed=1&deleted=9", 1)] {
                let asked = try await bob.send(.get, "/library/trash/\(path)&\(mark)")
                #expect(asked.status == .ok && text(asked).contains("permanently deletes \(count) item"))
                #expect(text(asked).contains(#"name="deleted" value="0""#))
                // Another site does not know the token.
                for other in ["", "&form_token=\(token)", "&form_token=x"] {
                    let refused = try await bob.send(.get, "/library/trash/\(path)\(other)")
                    #expect(refused.headers[.location] == "/library/trash?from=0")
                }
            }
            let none = try await bob.send(.get, "/library/trash/delete?\(mark)")
            #expect(none.headers[.location] == "/library/trash?from=0")
            #expect(try await service.services.library.showLibrary(caller).trash.photos.count == 2)
        }
    }

    @Test func `a request without chosen photos or with an invalid mark deletes nothing`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, caller, token) = try await bob(service, http, trash: 2)
            let none = try await bob.send(
                .post, "/library/trash/delete", json: "form_token=\(token)&confirmed=1&mark=\(Self.md5(0))",
                headers: Self.form)
            #expect(none.headers[.location] == "/library/trash?from=0")
            for mark in ["", "x", "\(Self.md5(0))"] {
                let asked = try await bob.send(
                    .post, "/library/trash/empty", json: "form_token=\(token)&confirmed=1&mark=\(mark)",
                    headers: Self.form)
                #expect(asked.status == .ok && text(asked).contains("permanently deletes 2 items ("))
            }
            #expect(try await service.services.library.showLibrary(caller).trash.photos.count == 2)
        }
    }
}
