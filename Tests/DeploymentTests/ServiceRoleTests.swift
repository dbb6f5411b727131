import AWSServices
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The service's role allows what the service does, and nothing else.
struct ServiceRoleTests {
    private func operations(_ kind: RecordingObjectStore.Request.Kind) -> [S3Operation] {
        switch kind {
        case .read: [.getObject, .headObject]
        case .write: [.putObject]
        case .stream: [.createMultipartUpload, .uploadPart, .completeMultipartUpload, .abortMultipartUpload]
        case .delete: [.deleteObject]
        case .list: [.listObjects]
        }
    }

    @Test("every store request of the service and the operator's commands is allowed, and every grant is used")
    func requests() async throws {
        let policy = try Deployment.policy("service-role-policy.json")
        var options = TestService.Options()
        options.eventReceiver = RecordingEventReceiver()
        let service = try await TestService.make(options)
        try await service.runAllOperations()
        let recovery = try await service.walkThroughOperation()
        var used: Set<String> = []
        for request in Set(service.store.drainRequests() + recovery) {
            let resource = request.kind == .list ? Deployment.bucket : "\(Deployment.bucket)/\(request.key)"
            for action in Set(operations(request.kind).map(\.action.rawValue)) {
                #expect(try policy.allows(action, resource), "\(request)")
                for pattern in policy.Statement.flatMap({ $0.Resource ?? [] })
                where IAMPolicy.matches(resource, pattern) {
                    used.insert("\(action) \(pattern)")
                }
            }
        }
        let granted = policy.Statement.flatMap { statement in
            statement.Action.flatMap { action in (statement.Resource ?? []).map { "\(action) \($0)" } }
        }
        let sessions = [Deployment.userRole, Deployment.eraserRole].map { "\(AssumeRoleRequest.action.rawValue) \($0)" }
        let start = "\(S3Operation.getObjectLockConfiguration.action.rawValue) \(Deployment.bucket)"
        #expect(Set(granted) == used.union(sessions).union([start]))
        #expect(policy.Statement.allSatisfy { $0.Effect == "Allow" && $0.Condition == nil })
    }

    @Test("the service cannot read photos, thumbnails or catalogs; it counts them only by listing")
    func photos() throws {
        let policy = try Deployment.policy("service-role-policy.json")
        for key in ["photos/u/x", "thumbnails/u/x", "catalogs/u/.photolala.md5", "users/u/notes", "x"] {
            for action in Set(S3Operation.allCases.map(\.action.rawValue)) {
                #expect(try !policy.allows(action, "\(Deployment.bucket)/\(key)"))
            }
        }
    }
}
