import Foundation
import NIOCore
import ObjectStorage

extension DirectoryObjectStore {
    /// The number of stream bytes collected before they are written and hashed.
    private static let writeBufferSize = 256 << 10

    @discardableResult
    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        switch ObjectRouting(key) {
        case .row: return try await putRow(key, bytes, attributes: [:], if: condition).etag
        case .file:
            let modified = now()
            return try await run(on: writers) { [writing, reserve] () throws(ObjectStoreError) in
                guard let writing else { throw .readOnlyFolder }
                let reservation = try reserve.admit(key, size: Int64(bytes.readableBytes))
                defer { withExtendedLifetime(reservation) {} }
                let staged = try writing.staging.stage()
                try staged.append([bytes])
                return try Self.publish(staged, as: key, [:], modified, writing.fileStore, if: condition).etag
            }
        }
    }

    @discardableResult
    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await write(key, body, attributes: attributes, if: condition, quota: nil) { [:] }
    }

    @discardableResult
    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota, adding late: @Sendable () -> ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await write(key, body, attributes: attributes, if: condition, quota: quota, adding: late)
    }

    private func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        quota: StorageQuota?, adding late: @Sendable () -> ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try checkConditionEarly(key, if: condition)
        switch ObjectRouting(key) {
        case .row:
            let bytes = try await Self.collect(body)
            let all = attributes.merging(late()) { $1 }
            return try await putRow(key, bytes, attributes: all, if: condition, within: quota)
        case .file:
            guard let writing else { throw .readOnlyFolder }
            let reservation = try reserve.admit(key, size: body.size)
            let staged = try await run(on: writers) { () throws(ObjectStoreError) in try writing.staging.stage() }
            let last = try await stream(body, into: staged, reservation)
            let (modified, all) = (now(), attributes.merging(late()) { $1 })
            return try await run(on: writers) { () throws(ObjectStoreError) in
                defer { withExtendedLifetime(reservation) {} }
                try staged.append(last)
                return try Self.publish(staged, as: key, all, modified, writing.fileStore, if: condition, within: quota)
            }
        }
    }

    /// Fails early, before the body is read, if the condition no longer holds. The commit checks it again.
    private func checkConditionEarly(_ key: ObjectKey, if condition: PutCondition) throws(ObjectStoreError) {
        if condition == .always { return }
        let etag = try databases[key].row(key)?.info.etag
        let holds = if case .matches(let expected) = condition { etag == expected } else { etag == nil }
        guard holds else { throw .preconditionFailed }
    }

    private func putRow(
        _ key: ObjectKey, _ bytes: ByteBuffer, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota? = nil
    ) async throws(ObjectStoreError) -> ObjectInfo {
        guard bytes.readableBytes <= ObjectRouting.rowLimit else { throw .tooLarge(limit: ObjectRouting.rowLimit) }
        if DatabaseKind(key) == .accounts { try await verification.pass() }
        let etag = RowBytes.etag(of: bytes)
        try DeclaredMD5(attributes)?.verify(etag.description)
        let info = ObjectInfo(
            etag: etag, size: Int64(bytes.readableBytes), lastModified: now(),
            attributes: attributes.withoutDeclaredDigest
        )
        let reservation = try reserve.admit(key, size: info.size)
        defer { withExtendedLifetime(reservation) {} }
        let change = RowChange.put(key, ObjectRow(info: info, location: .row(bytes)), if: condition, within: quota)
        guard try await databases[key].commitQueue.commit(change) else { throw .preconditionFailed }
        return info
    }

    private static func publish(
        _ staged: StagedFile, as key: ObjectKey, _ attributes: ObjectAttributes, _ modified: Date,
        _ fileStore: ObjectFileStore,
        if condition: PutCondition, within quota: StorageQuota? = nil
    ) throws(ObjectStoreError) -> ObjectInfo {
        let sealed = try staged.seal(promised: DeclaredMD5(attributes))
        let info = ObjectInfo(
            etag: ETag(sealed.md5), size: sealed.fingerprint.size, lastModified: modified,
            attributes: attributes.withoutDeclaredDigest
        )
        guard try fileStore.publish(staged, sealed, as: key, info, if: condition, within: quota) else {
            throw .preconditionFailed
        }
        return info
    }

    /// Writes all but the last chunks of the body.
    /// - Returns: The remaining chunks, so that writing them and committing need one thread-pool job.
    private func stream(
        _ body: ObjectBody, into staged: StagedFile, _ reservation: SpaceReservation
    ) async throws(ObjectStoreError) -> [ByteBuffer] {
        var chunks: [ByteBuffer] = []
        var (pending, arrived) = (0, Int64(0))
        do {
            for try await chunk in body {
                arrived += Int64(chunk.readableBytes)
                guard arrived <= body.size else { throw ObjectStoreError.bodyFailed("body longer than declared") }
                pending += chunk.readableBytes
                chunks.append(chunk)
                guard pending >= Self.writeBufferSize else { continue }
                try await run(on: writers) { [chunks, pending] () throws(ObjectStoreError) in
                    try staged.append(chunks)
                    try reservation.recordWritten(Int64(pending))
                }
                (chunks, pending) = ([], 0)
            }
        } catch {
            throw Self.bodyFailure(error)
        }
        guard arrived == body.size else { throw .bodyFailed("body shorter than declared") }
        return chunks
    }

    private static func collect(_ body: ObjectBody) async throws(ObjectStoreError) -> ByteBuffer {
        guard body.size <= Int64(ObjectRouting.rowLimit) else { throw .tooLarge(limit: ObjectRouting.rowLimit) }
        var collected = ByteBuffer()
        do {
            for try await var chunk in body {
                guard Int64(collected.readableBytes + chunk.readableBytes) <= body.size else {
                    throw ObjectStoreError.bodyFailed("body longer than declared")
                }
                collected.writeBuffer(&chunk)
            }
        } catch {
            throw bodyFailure(error)
        }
        guard Int64(collected.readableBytes) == body.size else { throw .bodyFailed("body shorter than declared") }
        return collected
    }

    private static func bodyFailure(_ error: any Error) -> ObjectStoreError {
        error as? ObjectStoreError ?? .bodyFailed("\(error)")
    }
}
