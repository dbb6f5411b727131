import ObjectStorage
import Testing

@Suite("The state of archived S3 objects") struct S3ArchiveStateTests {
    private static func head(_ headers: [String: String]) -> FakeTransport.Reply {
        let plain = ["ETag": "\"tag\"", "Content-Length": "5", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        return .response(200, plain.merging(headers) { $1 })
    }

    private static let copy = #"ongoing-request="false", expiry-date="Mon, 21 Dec 2099 00:00:00 GMT""#
    private static let expiredCopy = #"ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT""#
    private static let ongoing = #"ongoing-request="true""#

    @Test(
        "one HEAD tells whether an object can be read",
        arguments: [
            ([:], .readable), (["x-amz-storage-class": "STANDARD_IA"], .readable),
            (["x-amz-storage-class": "GLACIER_IR"], .readable), (["x-amz-storage-class": "COLD"], .readable),
            (["x-amz-storage-class": "INTELLIGENT_TIERING"], .readable),
            (["x-amz-storage-class": "GLACIER"], .archived(.flexible)),
            (["x-amz-storage-class": "DEEP_ARCHIVE"], .archived(.deep)),
            (
                ["x-amz-storage-class": "INTELLIGENT_TIERING", "x-amz-archive-status": "ARCHIVE_ACCESS"],
                .archived(.tiered)
            ),
            (
                ["x-amz-storage-class": "INTELLIGENT_TIERING", "x-amz-archive-status": "DEEP_ARCHIVE_ACCESS"],
                .archived(.tieredDeep)
            ),
            (["x-amz-storage-class": "GLACIER", "x-amz-restore": ongoing], .restoring(.flexible)),
            (["x-amz-storage-class": "DEEP_ARCHIVE", "x-amz-restore": copy], .readable),
            (["x-amz-storage-class": "DEEP_ARCHIVE", "x-amz-restore": expiredCopy], .archived(.deep)),
            (
                [
                    "x-amz-storage-class": "INTELLIGENT_TIERING", "x-amz-archive-status": "DEEP_ARCHIVE_ACCESS",
                    "x-amz-restore": ongoing,
                ], .restoring(.tieredDeep)
            ),
        ] as [([String: String], ArchiveState)]
    )
    func state(headers: [String: String], expected: ArchiveState) async throws {
        let fixture = try ScriptedStore([Self.head(headers)])
        #expect(try await fixture.store.archiveState(try key("photos/u/a.dat")) == expected)
        #expect(fixture.transport.requests.map(\.method) == ["HEAD"])
    }

    @Test("a missing object has no state, and a refusal is an error")
    func absent() async throws {
        let missing = try ScriptedStore([.response(404)])
        #expect(try await missing.store.archiveState(try key("a")) == nil)
        let refusing = try ScriptedStore([.response(403), .page(["a"]), .error(403, "AccessDenied"), .page(["a"])])
        let error = await #expect(throws: ObjectStoreError.self) {
            try await refusing.store.archiveState(try key("a"))
        }
        guard case .denied = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a deep archive has no expedited retrieval")
    func speeds() {
        #expect(ArchiveKind.deep.speeds == [.bulk, .standard] && ArchiveKind.tieredDeep.speeds == [.bulk, .standard])
        #expect(ArchiveKind.flexible.speeds == [.bulk, .standard, .expedited])
        #expect(ArchiveKind.tiered.speeds == [.bulk, .standard, .expedited])
    }

    @Test(
        "a listing tells which objects may be archived",
        arguments: [
            ("STANDARD", false, false), ("GLACIER_IR", false, false), ("GLACIER", true, true),
            ("DEEP_ARCHIVE", true, true), ("INTELLIGENT_TIERING", false, true),
        ]
    )
    func listed(_ storageClass: String, isArchived: Bool, mayBeArchived: Bool) async throws {
        guard case .response(_, _, let text) = FakeTransport.Reply.page(["a"]) else { return }
        let page = text.replacing("<StorageClass>STANDARD<", with: "<StorageClass>\(storageClass)<")
        let fixture = try ScriptedStore([.response(200, [:], page)])
        let object = try #require(try await fixture.store.list(prefix: "a", after: nil, limit: 1).objects.first)
        #expect(object.isArchived == isArchived && object.mayBeArchived == mayBeArchived)
    }
}
