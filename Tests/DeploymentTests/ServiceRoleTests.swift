import AWSServices
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The service's role can do what the service does, and nothing else.
struct ServiceRoleTests {
    private func action(_ request: RecordingObjectStore.Request) -> AWSAction {
        switch request.kind {
        case .read: .getObject
        case .write: .putObject
        case .delete: .deleteObject
        case .list: .listBucket
        }
    }

    @Test("The actions are those of the requests that are sent, each granted and no other")
    func actions() throws {
        let sent = Set(S3Operation.allCases.map(\.action.rawValue) + [AssumeRoleRequest.action.rawValue])
        let policy = try Deployment.policy("service-role-policy.json")
        #expect(Set(policy.Statement.flatMap(\.Action)) == sent)
        #expect(policy.Statement.allSatisfy { $0.Effect == "Allow" && $0.Condition == nil })
        let roles = policy.Statement.filter { $0.Action.contains("sts:AssumeRole") }
        #expect(roles.map(\.Resource) == [[Deployment.userRole]] && roles.map(\.Action) == [["sts:AssumeRole"]])
    }

    @Test("Whatever the service asks of its store is allowed, and every grant is needed")
    func requests() async throws {
        let policy = try Deployment.policy("service-role-policy.json")
        let service = try await TestService.make()
        try await service.walkThroughEverything()
        var used: Set<String> = []
        for request in Set(service.store.takeRequests()) {
            let action = action(request).rawValue
            let resource = action == "s3:ListBucket" ? Deployment.bucket : "\(Deployment.bucket)/\(request.key)"
            #expect(try policy.allows(action, resource), "\(request)")
            for pattern in policy.Statement.flatMap({ $0.Resource ?? [] }) where IAMPolicy.matches(resource, pattern) {
                used.insert("\(action) \(pattern)")
            }
        }
        let granted = policy.Statement.flatMap { statement in
            statement.Action.flatMap { action in (statement.Resource ?? []).map { "\(action) \($0)" } }
        }
        // Where something may be written in parts, unfinished parts may be removed.
        let aborts = used.filter { $0.hasPrefix("s3:Put") }.map {
            $0.replacing("s3:PutObject", with: "s3:AbortMultipartUpload")
        }
        #expect(Set(granted) == used.union(aborts).union(["sts:AssumeRole \(Deployment.userRole)"]))
    }

    @Test("Photos, thumbnails and catalogs are closed to the service, which counts them by listing alone")
    func photos() throws {
        let policy = try Deployment.policy("service-role-policy.json")
        for key in ["photos/u/x", "thumbnails/u/x", "catalogs/u/.photolala.md5", "users/u/notes", "x"] {
            for action in Set(S3Operation.allCases.map(\.action.rawValue)) {
                #expect(try !policy.allows(action, "\(Deployment.bucket)/\(key)"))
            }
        }
    }
}
