import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing

/// Upload reservations over HTTP.
@Suite struct UploadTests {
    private static let md5 = String(repeating: "a", count: 32)

    private func open() async throws -> (TestService, SignedIn) {
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 1000, products: [])])
        options.reservesUploads = true
        let service = try await TestService.make(options)
        return (service, try await service.signUp(.apple, "bob"))
    }

    @Test func `reserving an upload returns its headers to a signed-in device and 401 to others`() async throws {
        let (service, bob) = try await open()
        try await service.exchange { http in
            let request = UploadRequest(md5: Self.md5, size: 600, kind: .photo)
            #expect(try await http.post("/uploads", request).status == .unauthorized)
            let response = try await http.post("/uploads", request, token: bob.session.accessToken)
            #expect(response.status == .ok)
            let upload = try http.answer(response, as: ReservedUpload.self)
            #expect(upload.headers["content-length"] == "600")
            #expect(upload.headers["content-type"] == "application/octet-stream")
            let credentials = try await http.send(.post, "/auth/credentials", token: bob.session.accessToken)
            let given = try http.answer(credentials, as: StorageCredentials.self)
            #expect(given.access == .readDelete && given.uploads == .reserved)
            let usage = try await http.send(
                .get, "/users/\(bob.user.serviceUserID)/usage", token: bob.session.accessToken)
            #expect(try http.answer(usage, as: Usage.self).uploads == .reserved)
        }
    }

    @Test func `a batch returns reservations in request order, with null for uploads that do not fit`() async throws {
        let (service, bob) = try await open()
        try await service.exchange { http in
            let requests = zip(["a", "b", "c"], [600, 600, 400] as [Int64]).map {
                UploadRequest(md5: String(repeating: $0.0, count: 32), size: $0.1, kind: .photo)
            }
            let response = try await http.post(
                "/uploads/batch", UploadRequests(uploads: requests), token: bob.session.accessToken)
            let text = String(buffer: response.body)
            #expect(text.contains(",null,"))
            let reserved = try http.answer(response, as: ReservedUploads.self)
            #expect(reserved.uploads.map { $0 != nil } == [true, false, true])
            #expect(reserved.storageUsed == 600 && reserved.storageLimit == 1000)
        }
    }

    @Test func `each refused upload returns its status and code`() async throws {
        let (service, bob) = try await open()
        try await service.exchange { http in
            func expect(_ path: String, _ json: String, _ status: Int, _ code: ErrorCode) async throws {
                let response = try await http.send(.post, path, json: json, token: bob.session.accessToken)
                #expect(response.status.code == status, "\(json)")
                #expect(try http.problem(response).code == code, "\(json)")
            }
            try await expect("/uploads", #"{"md5":"\#(Self.md5)","size":1001,"kind":"photo"}"#, 403, .quotaExceeded)
            for json in [
                "{}", #"{"md5":"\#(Self.md5)","size":1}"#, #"{"md5":"\#(Self.md5)","size":1,"kind":"film"}"#,
                #"{"md5":"\#(Self.md5)","size":1.5,"kind":"photo"}"#,
                #"{"md5":"\#(Self.md5)","size":"1","kind":"photo"}"#,
                #"{"md5":"\#(Self.md5.uppercased())","size":1,"kind":"photo"}"#,
                #"{"md5":"\#(Self.md5)","size":0,"kind":"photo"}"#,
                #"{"md5":"\#(Self.md5)","size":1e300,"kind":"photo"}"#,
                #"{"md5":"\#(Self.md5)","size":1,"kind":"photo","contentType":"a/b\r\nx: y"}"#,
            ] {
                try await expect("/uploads", json, 400, .invalidRequest)
            }
            try await expect("/uploads/batch", #"{"uploads":[]}"#, 400, .invalidRequest)
            let one = #"{"md5":"\#(Self.md5)","size":1,"kind":"photo"}"#
            try await expect("/uploads/batch", #"{"uploads":[\#(one),\#(one)]}"#, 400, .invalidRequest)
            let many = Array(repeating: one, count: 101).joined(separator: ",")
            try await expect("/uploads/batch", #"{"uploads":[\#(many)]}"#, 400, .invalidRequest)
        }
    }
}
