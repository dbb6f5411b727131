import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Transport

/// A profile on a server that replaces it by compare-and-swap.
final class FakeProfileEndpoint: Sendable {
    private let state = Mutex<(profile: Profile, version: Int)>((Profile(), 0))
    /// Called once, before the response to a read.
    private let beforeRead = Mutex<(@Sendable () async throws -> Void)?>(nil)

    func beforeNextRead(_ act: @escaping @Sendable () async throws -> Void) { beforeRead.withLock { $0 = act } }

    private func read(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let act = beforeRead.withLock { act in
            defer { act = nil }
            return act
        }
        let answer = response()
        do { try await act?() } catch { throw .notSent("\(error)") }
        return answer
    }

    var profile: Profile { state.withLock { $0.profile } }

    /// Writes the profile like a client that does not merge.
    func write(_ change: (inout Profile) -> Void) {
        state.withLock { state in
            change(&state.profile)
            state.version += 1
        }
    }

    var script: [String: [FakeServer.Response]] {
        let path = "/users/\(ClientFixture.user)/profile"
        return [
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "GET \(path)": [read],
            "PUT \(path)": [{ [self] request in replace(request) }],
        ]
    }

    private func replace(_ request: TransportRequest) -> TransportResponse {
        guard let wanted = try? WireJSON.decoder().decode(Profile.self, from: Data(request.text.utf8)) else {
            return .text("", status: 400, type: "")
        }
        let isReplaced = state.withLock { state in
            guard request.headers[.ifMatch] == "\"v\(state.version)\"" else { return false }
            state = (wanted, state.version + 1)
            return true
        }
        if isReplaced { return response() }
        let problem = Problem(
            title: "Problem", status: 412, detail: "changed", code: .concurrentModification, requestID: "r-1",
            pendingIdentity: nil, pendingIdentityExpiresAt: nil, hints: nil
        )
        let text = (try? WireJSON.encoder().encode(problem)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return .text(text, status: 412, type: "application/problem+json")
    }

    private func response() -> TransportResponse {
        let (profile, version) = state.withLock { ($0.profile, $0.version) }
        let text = (try? WireJSON.encoder().encode(profile)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return .text(text, status: 200, type: "application/json", more: [.eTag: "\"v\(version)\""])
    }
}
