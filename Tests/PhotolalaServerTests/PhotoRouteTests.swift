import Foundation
import HummingbirdTesting
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Testing

/// The requests of apps that let the server keep their library.
@Suite struct PhotoRouteTests {
    private static let md5 = "5d41402abc4b2a76b9719d911017c592"

    private func body(_ paths: [String], modifiedAt: String = "2026-11-21T05:03:50Z") -> String {
        let photos = paths.map { #"{"path":"\#($0)","md5":"\#(Self.md5)","modifiedAt":"\#(modifiedAt)"}"# }
        return #"{"photos":[\#(photos.joined(separator: ","))]}"#
    }

    private static func path(_ number: Int, _ length: Int) -> String {
        let name = "\(number).jpg"
        let folders = String(repeating: "\(String(repeating: "a", count: 99))/", count: length / 100 + 1)
        return folders.suffix(length - name.count) + name
    }

    @Test func `a date that does not exist is an invalid value`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            for date in ["2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z"] {
                let response = try await http.send(
                    .post, "/photos", json: body(["a.jpg"], modifiedAt: date), token: bob.session.accessToken)
                let problem = try http.problem(response)
                #expect(problem.code == .invalidRequest)
                #expect(problem.detail == "photos.Index 0.modifiedAt has an invalid value.")
            }
        }
    }

    @Test func `a hundred photos with paths of 1,000 bytes fit into a request, and one path of 4,096`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            for (count, length) in [(NewPhotos.maximum, 1000), (1, 4096)] {
                let paths = (0..<count).map { Self.path($0, length) }
                let response = try await http.send(
                    .post, "/photos", json: body(paths), token: bob.session.accessToken)
                let added = try http.answer(response, as: AddedPhotos.self)
                #expect(added.photos == paths.map { _ in .missing })
            }
        }
    }

    /// User stores whose reads of photos wait until they are cancelled.
    private struct SlowStores: UserStores {
        let store: FakeObjectStore

        func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion { store }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an inspection ends when the client disconnects`() async throws {
        let (started, ended) = (Gate(), Gate())
        let store = FakeObjectStore { verb, key in
            guard verb == "read", key.hasPrefix("photos/") else { return nil }
            started.open()
            await Gate().wait()
            ended.open()
            return nil
        }
        var options = TestService.Options()
        options.userStores = SlowStores(store: store)
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob")
        let json = body(["a.jpg"])
        let request = """
            POST /photos HTTP/1.1\r\nhost: photos.example\r\nauthorization: Bearer \(bob.session.accessToken)\r\n\
            content-type: application/json\r\ncontent-length: \(json.utf8.count)\r\n\r\n\(json)
            """
        try await service.server().test(.live) { client in
            try await RawConnection.abandoning(port: try #require(client.port), request) { await started.wait() }
            await ended.wait()
        }
    }
}
