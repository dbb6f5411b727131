import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Several server processes on one folder.
@Suite(.serialized) struct ManyProcessesTests {
    @Test("500 sign-ups of one identity through three processes leave one account")
    func oneAccount() async throws {
        try await withTemporaryFolder { data, transport in
            let first = try await ServerProcess(data: data, transport: transport)
            let others = [
                try await ServerProcess(data: data, transport: transport, publicURL: first.address),
                try await ServerProcess(data: data, transport: transport, publicURL: first.address),
            ]
            let servers = [first] + others
            let bob = Person(1, transport: transport)
            let token = try await bob.token(at: first.address)
            let created = try await withThrowingTaskGroup(of: SignedIn?.self) { group in
                for number in 0..<500 {
                    group.addTask { try await bob.signUp(at: servers[number % 3].address, token: token) }
                }
                return try await group.reduce(into: [SignedIn]()) { all, one in one.map { all.append($0) } }
            }
            #expect(created.count == 1)
            for server in servers {
                #expect(
                    try await bob.signIn(at: server.address).user.serviceUserID == created.first?.user.serviceUserID)
            }
            for server in servers { #expect(server.stop() == 0) }
        }
    }

    @Test("a session opened by one process is valid at the others, and ended by one it is ended for all")
    func sharedSessions() async throws {
        try await withTemporaryFolder { data, transport in
            let first = try await ServerProcess(data: data, transport: transport)
            let second = try await ServerProcess(data: data, transport: transport, publicURL: first.address)
            let bob = Person(1, transport: transport)
            let signedIn = try #require(
                try await bob.signUp(at: first.address, token: try await bob.token(at: first.address))
            )
            let session = signedIn.session
            let credentials = try await bob.call("\(second.address)/auth/credentials", token: session.accessToken)
            #expect(credentials.status == 200)
            let signOut = try await bob.call("\(second.address)/auth/signout", token: session.accessToken)
            #expect(signOut.status == 204)
            let refused = try await bob.call("\(first.address)/auth/credentials", token: session.accessToken)
            #expect(refused.status == 401)
            #expect(first.stop() == 0)
            #expect(second.stop() == 0)
        }
    }
}
