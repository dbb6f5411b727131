import Foundation
import HTTPTypes
import HummingbirdTesting
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The page of a photo that is in an archive of the store.
@Suite struct ArchivedPhotoPageTests {
    private static let refusal = ObjectStoreError.denied("AccessDenied (HTTP 403)")

    @Test("an archived photo shows its thumbnail, the speeds of its archive, hours, cost and days, from one HEAD")
    func offer() async throws {
        try await ArchiveFixture.with(1) { bob in
            let page = try await bob.page(ArchiveFixture.pagePath(0))
            #expect(bob.takeStateRequests() == 1)
            #expect(page.contains("In cold storage") && page.contains("/thumbnails/"))
            #expect(!page.contains("/library/original") && !page.contains("/library/download"))
            #expect(page.contains(#"action="/library/photo/recall""#))
            #expect(page.contains("Economy: usually within 48 hours, costs the service about $0.01 or less"))
            #expect(page.contains("Standard: usually within 12 hours, costs the service about $0.01 or less"))
            #expect(page.contains(#"value="standard" required checked"#) && !page.contains("expedited"))
            #expect(page.contains(#"<label for="days">Days it stays available</label>"#))
            #expect(page.contains(#"name="days" value="7" min="1" max="365""#))
            #expect(page.contains("AWS list prices for 7 days, us-east-1, November 2026."))
        }
    }

    @Test("a photo of an archive that keeps restored objects has the fastest speed and no days")
    func tiered() async throws {
        try await ArchiveFixture.with(1, .tiered) { bob in
            let page = try await bob.page(ArchiveFixture.pagePath(0))
            #expect(page.contains("Fast: usually within 5 minutes, costs the service about $0.01"))
            #expect(page.contains("Standard: usually within 5 hours, costs the service about $0.00"))
            #expect(!page.contains(#"name="days""#) && page.contains("AWS list prices, us-east-1"))
        }
    }

    @Test("original and download of an archived photo lead to its page")
    func links() async throws {
        try await ArchiveFixture.with(1) { bob in
            for path in ["original", "download"] {
                let response = try await bob.bob.send(
                    .get, "/library/\(path)?id=\(ArchiveFixture.md5(0))&list=photos")
                #expect(response.status == .seeOther)
                #expect(response.headers[.location] == ArchiveFixture.pagePath(0))
            }
        }
    }

    @Test("a requested photo is on its way and, when restored, has its usual page")
    func retrieved() async throws {
        try await ArchiveFixture.with(2) { bob in
            let location = try await bob.ask(0, "standard", days: "30")
            #expect(location == "\(ArchiveFixture.pagePath(0))&archive=standard")
            #expect(bob.archive.acceptedRequests == [RetrievalRequest(speed: .standard, days: 30)])
            let page = try await bob.page(location)
            #expect(page.contains("It is usually available within 12 hours of the request."))
            #expect(!page.contains(#"name="speed""#) && page.contains(#"<p role="status">"#))
            #expect(try await bob.page(ArchiveFixture.pagePath(0)).contains("within 48 hours of the request"))
            #expect(try await bob.page(ArchiveFixture.pagePath(1)).contains(#"name="speed""#))
            // Requesting it again changes nothing.
            _ = try await bob.ask(0, "bulk")
            #expect(bob.archive.acceptedRequests.count == 1)

            bob.archive.completeRestores()
            _ = bob.takeStateRequests()
            let back = try await bob.page(ArchiveFixture.pagePath(0))
            #expect(back.contains("/library/original?id=\(ArchiveFixture.md5(0))") && !back.contains("In cold storage"))
            let original = try await bob.bob.send(.get, "/library/original?id=\(ArchiveFixture.md5(0))&list=photos")
            #expect(original.headers[.location]?.contains("/photos/\(bob.caller.user)/") == true)
            #expect(bob.takeStateRequests() == 1, "the page and its picture need one HEAD")
            bob.service.clock.advance(by: 61)
            _ = try await bob.page(ArchiveFixture.pagePath(0))
            #expect(bob.takeStateRequests() == 1)
        }
    }

    @Test("a speed that the archive lacks and a refusal are explained, and the form remains")
    func refused() async throws {
        try await ArchiveFixture.with(1) { bob in
            let slow = try await bob.ask(0, "expedited")
            #expect(try await bob.page(slow).contains("This speed isn’t available for this file now."))
            bob.archive.forcedOutcome.withLock { $0 = .failure(Self.refusal) }
            let denied = try await bob.ask(0, "bulk")
            #expect(denied.hasSuffix("&archive=denied"))
            let page = try await bob.page(denied)
            #expect(page.contains(#"<p role="alert">The photo storage refused the request."#))
            #expect(page.contains("Contact the operator of this service.") && page.contains(#"name="speed""#))
            #expect(bob.archive.acceptedRequests.isEmpty)
        }
    }

    @Test("a refusal states the limited access of an account that will be deleted")
    func limited() async throws {
        try await ArchiveFixture.with(1) { bob in
            _ = try await bob.service.services.deletion.schedule(.init(confirmation: "DELETE"), caller: bob.caller)
            try await bob.signInAgain()
            // Requests are still allowed.
            _ = try await bob.ask(0, "bulk")
            #expect(bob.archive.acceptedRequests.count == 1)
            bob.archive.forcedOutcome.withLock { $0 = .failure(Self.refusal) }
            let location = try await bob.ask(0, "bulk")
            #expect(location.hasSuffix("&archive=limited"))
            bob.archive.forcedOutcome.withLock { $0 = nil }
            try await bob.archive.archive(below: StorageLayout.photos(bob.caller.user))
            #expect(try await bob.page(location).contains("Your account is over its storage limit or will be deleted"))
        }
    }

    @Test(
        "a form without a known speed, with impossible days or of an unknown photo is rejected",
        arguments: [
            ("", 400), ("speed=fast", 400), ("speed=bulk&days=0", 400), ("speed=bulk&days=366", 400),
            ("speed=bulk&days=x", 400),
        ])
    func malformed(_ fields: String, _ status: Int) async throws {
        try await ArchiveFixture.with(1) { bob in
            let response = try await bob.post("/library/photo/recall", "id=\(ArchiveFixture.md5(0))&\(fields)")
            #expect(response.status.code == status)
            let unknown = try await bob.post("/library/photo/recall", "id=\(ArchiveFixture.md5(1))&speed=bulk")
            #expect(unknown.status == .notFound)
            #expect(bob.archive.requestCount.withLock { $0 } == 0)
        }
    }

    @Test(
        "the form is in every language",
        arguments: [
            ("en", "Retrieve from cold storage", "within 12 hours", "$0.01 or less"),
            ("de", "Aus dem Langzeitspeicher abrufen", "innerhalb von 12 Stunden", "oder weniger"),
            ("ja", "長期ストレージから取り出す", "12 時間以内", "以下"), ("ko", "장기 저장소에서 꺼내기", "12시간 이내", "이하"),
            ("es", "Recuperar del almacenamiento de largo plazo", "normalmente en 12 horas", "o menos"),
        ])
    func languages(_ language: String, _ button: String, _ time: String, _ price: String) async throws {
        try await ArchiveFixture.with(1) { bob in
            let page = try await bob.page(ArchiveFixture.pagePath(0), language)
            #expect(page.contains("<button>\(button)</button>") && page.contains(time) && page.contains(price))
            let content = try #require(page.range(of: "<main")?.lowerBound)
            #expect(page[content...].firstMatch(of: /\{[a-z]+\}/) == nil)
        }
    }

    @Test("a store without archives offers nothing")
    func folder() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = String(buffer: try await bob.send(.get, "/library").body)
            #expect(!page.contains("/library/recall"))
        }
    }
}
