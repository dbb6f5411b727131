import HTTPTypes
import HummingbirdTesting
import Testing

/// Methods that the operators' paths do not have.
@Suite struct OperatorMethodTests {
    private static let methods = [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options, .trace]

    @Test("a method that a path of the API does not have gets 405 with the Allow list, also without a key")
    func api() async throws {
        let fixture = try await OperatorFixture()
        let paths = Dictionary(grouping: OperatorAccessTests.calls) { String($0.path.prefix { $0 != "?" }) }
        try await fixture.exchange { client in
            for (path, calls) in paths {
                let known = Set(calls.map(\.method))
                let allowed = known.union(known.contains(.get) ? [.head] : [])
                for method in Self.methods where !allowed.contains(method) {
                    let answer = try await fixture.send(client, method, path, as: nil)
                    #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
                    #expect(answer.headers[.allow] == allowed.map(\.rawValue).sorted().joined(separator: ", "))
                    #expect(answer.headers[.contentType] == "application/problem+json")
                    // A response to HEAD has no body (RFC 9110 section 9.3.2).
                    guard method != .head else {
                        #expect(answer.body.readableBytes == 0, "\(path)")
                        continue
                    }
                    #expect(try fixture.members(answer)["code"] as? String == "method_not_allowed")
                }
            }
        }
        #expect(try await fixture.recorded().isEmpty)
    }

    @Test("metrics and pages have their own lists, and an unknown path stays unknown")
    func others() async throws {
        let fixture = try await OperatorFixture()
        try await fixture.exchange { client in
            for (path, allowed) in [
                ("/metrics", "GET, HEAD"), ("/", "GET, HEAD"), ("/console", "GET, HEAD"), ("/console/session", "POST"),
            ] {
                let answer = try await fixture.send(client, .put, path, as: nil)
                #expect(answer.status == .methodNotAllowed && answer.headers[.allow] == allowed, "\(path)")
            }
            let unknown = try await fixture.send(client, .put, "/api/nothing", as: .admin)
            #expect(unknown.status == .notFound && unknown.headers[.allow] == nil)
            #expect(try fixture.members(unknown)["code"] as? String == "not_found")
            #expect(try await fixture.send(client, .head, "/api/nothing", as: .admin).body.readableBytes == 0)
            #expect(try await fixture.send(client, .head, "/metrics", as: nil).status == .ok)
        }
    }
}
