import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Exports over HTTP.
@Suite struct ExportRouteTests {
    @Test("a download answers ranges, HEAD and conditions as RFC 9110 defines them")
    func ranges() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let photo = ObjectKey(
            known: StorageLayout.photo(bob.user.serviceUserID, md5: "acbd18db4cc2f85cedef654fccc4a4d8"))
        _ = try await service.store.put(photo, ByteBuffer(string: "foo"), if: .always)
        try await service.exchange { http in
            let token = bob.session.accessToken
            let made = try await http.send(.post, "/account/export", token: token)
            let export: AccountExport = try http.answer(made)
            #expect(made.status == .ok && export.photos == 1)
            let current: CurrentExport = try http.answer(try await http.send(.get, "/account/export", token: token))
            #expect(current.export == export)
            let path = "/account/export/\(export.id)"
            let whole = try await http.send(.get, path, token: token)
            #expect(whole.status == .ok && whole.body.readableBytes == Int(export.size))
            let etag = try #require(whole.headers[.eTag])
            let cases: [(HTTPFields, HTTPResponse.Status, Range<Int>)] = [
                ([.range: "bytes=0-9"], .partialContent, 0..<10),
                ([.range: "bytes=100-"], .partialContent, 100..<Int(export.size)),
                ([.range: "bytes=-22"], .partialContent, Int(export.size) - 22..<Int(export.size)),
                ([.range: "bytes=0-9", .ifRange: etag], .partialContent, 0..<10),
                ([.range: "bytes=0-9", .ifRange: "\"other\""], .ok, 0..<Int(export.size)),
                ([.range: "bytes=0-1,5-6"], .ok, 0..<Int(export.size)),
            ]
            for (headers, status, range) in cases {
                let part = try await http.send(.get, path, token: token, headers: headers)
                #expect(part.status == status, "\(headers)")
                #expect(part.body == whole.body.getSlice(at: range.lowerBound, length: range.count), "\(headers)")
                let shown = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(export.size)"
                #expect(part.headers[.contentRange] == (status == .partialContent ? shown : nil))
            }
            let beyond = try await http.send(
                .get, path, token: token, headers: [.range: "bytes=\(export.size)-"])
            #expect(beyond.status == .rangeNotSatisfiable && beyond.headers[.contentRange] == "bytes */\(export.size)")
            let head = try await http.send(.head, path, token: token)
            #expect(head.status == .ok && head.headers[.contentLength] == "\(export.size)")
            #expect(head.body.readableBytes == 0 && head.headers[.eTag] == etag)
        }
    }

    @Test("an export needs a session, recent authentication for its creation, and its own device")
    func refusals() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let phone = try await service.signIn(.apple, "bob", device: 2)
        try await service.exchange { http in
            for path in ["/account/export", "/account/export/files", "/account/export/signature"] {
                let unknown = try await http.send(.post, path, json: "{}")
                #expect(try http.problem(unknown).code == .unauthorized, "\(path)")
            }
            let export: AccountExport = try http.answer(
                try await http.send(.post, "/account/export", token: bob.session.accessToken))
            let path = "/account/export/\(export.id)"
            #expect(try http.problem(try await http.send(.get, path)).code == .unauthorized)
            for other in [path, "/account/export/\(UUID())", "/account/export/nothing"] {
                let refused = try await http.send(.get, other, token: phone.session.accessToken)
                #expect(try http.problem(refused).code == .notFound, "\(other)")
            }
            service.clock.advance(by: 601)
            for path in ["/account/export", "/account/export/files"] {
                let late = try await http.send(.post, path, token: bob.session.accessToken)
                #expect(try http.problem(late).code == .reauthenticationRequired, "\(path)")
            }
            #expect(try await http.send(.get, path, token: bob.session.accessToken).status == .ok)
            let request = ExportSignatureRequest(manifestSHA256: "AA")
            let malformed = try await http.post(
                "/account/export/signature", request, token: bob.session.accessToken)
            #expect(try http.problem(malformed).code == .invalidRequest)
        }
    }
}
