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

/// Bob in a browser, with photos in a store that has an archive.
struct ArchiveFixture {
    static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    let service: TestService
    let archive: ArchivingObjectStore
    let caller: Caller
    private(set) var token: String
    var bob: PortalVisitor

    static func photo(_ number: Int) -> ByteBuffer {
        ByteBuffer(bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF \(number)".utf8))
    }

    static func md5(_ number: Int) -> ContentDigest { ContentDigest(of: photo(number)) }

    /// Runs a test with photos in Bob's library, all of them archived.
    static func with(
        _ count: Int, _ kind: ArchiveKind = .deep,
        _ test: @escaping @Sendable (inout ArchiveFixture) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let memory = MemoryObjectStore { clock.now }
        let archive = ArchivingObjectStore(memory, kind)
        var options = TestService.Options()
        options.userStores = ArchivingUserStores(archive)
        let service = try await TestService.make(options, store: memory, clock: clock)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let cookie = try #require(bob.cookies.first { $0.key.hasSuffix("-session") }?.value)
            let caller = try await service.services.authenticator.authenticate(browserCookie: cookie)
            var arrivals: [UploadedPhoto] = []
            for number in 0..<count {
                _ = try await memory.put(key(number, caller), photo(number), if: .always)
                arrivals.append(
                    UploadedPhoto(
                        path: try #require(LibraryPath("\(number).jpg")), md5: md5(number),
                        modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0)))
            }
            _ = try await service.services.libraryUploads.finishUploads(arrivals, caller: caller)
            try await archive.archive(below: StorageLayout.photos(caller.user))
            archive.stateRequests.withLock { $0 = [] }
            let token = try await bob.formToken()
            var fixture = ArchiveFixture(service: service, archive: archive, caller: caller, token: token, bob: bob)
            try await test(&fixture)
        }
    }

    /// Signs in after all sessions have ended.
    mutating func signInAgain() async throws {
        bob = PortalVisitor(bob.http)
        _ = try await bob.signIn(service, as: "bob", from: "/sign-in")
        let page = try await page("/library")
        token = String(try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1))
    }

    private static func key(_ number: Int, _ caller: Caller) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(caller.user, md5: md5(number).description))
    }

    static func pagePath(_ number: Int) -> String { "/library/photo?id=\(md5(number))&list=photos" }

    /// The number of requests for the state of photos since the last call.
    func takeStateRequests() -> Int {
        archive.stateRequests.withLock { requests in
            defer { requests = [] }
            return requests.count
        }
    }

    mutating func page(_ path: String, _ language: String = "en") async throws -> String {
        let response = try await bob.send(.get, path, headers: [.acceptLanguage: language])
        #expect(response.status == .ok, "\(path)")
        return String(buffer: response.body)
    }

    mutating func post(_ path: String, _ fields: String) async throws -> TestResponse {
        try await bob.send(.post, path, json: "form_token=\(token)&\(fields)", headers: Self.form)
    }

    /// Requests a photo on its page and returns the address that follows.
    mutating func ask(_ number: Int, _ speed: String, days: String = "7") async throws -> String {
        let fields = "id=\(Self.md5(number))&list=photos&speed=\(speed)&days=\(days)"
        return try #require(try await post("/library/photo/recall", fields).headers[.location])
    }
}
