import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol

extension BucketOperations {
    func putObject(_ call: Call) async throws -> Response {
        if call.caller.policy.isImplicitFolder(call.request.key, .putObject) {
            return try await putImplicitFolder(call)
        }
        let key = try call.key(for: .putObject)
        let condition = try WriteConditions.put(call.request.headers)
        let attributes = try ObjectHeaders.attributes(call.request.headers)
        let body = try call.body(limit: settings.maxBodySize)
        guard !key.isFolderMarker || body.declared.size == 0 else { throw S3Error.folderWithContent }
        let expected = attributes.merging(body.checksumPlaceholder) { $1 }
        do {
            let storeCondition = try await storeCondition(condition, key)
            let info = try await within(limitOf: call, size: body.declared.size, expected, at: key) { quota in
                try await write(key, body, attributes: attributes, if: storeCondition, within: quota)
            }
            return writeResponse(info.etag, body)
        } catch {
            throw try await mapPreconditionError(error, key, condition)
        }
    }

    /// Returns the response to a written object or part.
    func writeResponse(_ etag: ETag, _ body: VerifiedBody, isPart: Bool = false) -> Response {
        var headers: HTTPFields = [.eTag: "\"\(etag)\""]
        body.outcome.checksum?.set(in: &headers)
        // Only objects have a checksum type.
        if isPart { headers[.amzChecksumType] = nil }
        return Response(status: .ok, headers: headers)
    }

    func deleteObject(_ call: Call) async throws -> Response {
        let key = try call.key(for: .deleteObject)
        try await delete(key, WriteConditions.delete(call.request.headers))
        return Response(status: .noContent)
    }

    /// Deletes an object.
    /// - Throws: `NoSuchKey` if a condition requires the object to exist and it does not.
    private func delete(_ key: ObjectKey, _ condition: WriteConditions.Delete) async throws {
        switch condition {
        case .store(let condition):
            do {
                try await store.delete(key, if: condition)
            } catch ObjectStoreError.preconditionFailed {
                throw try await store.head(key) == nil ? S3Error.noSuchKey : .preconditionFailed
            }
        case .exists:
            // Deletes the current version; an object that is replaced constantly exhausts the attempts.
            for _ in 0..<8 {
                guard let info = try await store.head(key) else { throw S3Error.noSuchKey }
                do { return try await store.delete(key, if: .matches(info.etag)) } catch .preconditionFailed {
                    continue
                }
            }
            throw S3Error.conflict
        }
    }

    /// Performs DeleteObjects. The policy is checked for each key, and each has its own result.
    func deleteObjects(_ call: Call) async throws -> Response {
        let document = try await call.document()
        let entries = document.children.filter { $0.name == "Object" }
        guard document.name == "Delete", (1...1000).contains(entries.count) else { throw S3Error.malformedXML }
        let quiet = document.value("Quiet") == "true"
        let outcomes = await withTaskGroup(of: (Int, S3Error?).self) { group in
            var outcomes = [S3Error?](repeating: nil, count: entries.count)
            for (index, entry) in entries.enumerated() {
                // Limited concurrency, so that the store can batch deletes into one commit and no caller takes all
                // capacity.
                if index >= 16, let (done, error) = await group.next() { outcomes[done] = error }
                group.addTask { (index, await delete(entry, call)) }
            }
            for await (done, error) in group { outcomes[done] = error }
            return outcomes
        }
        var xml = XMLWriter()
        xml.root("DeleteResult") { xml in
            for (entry, error) in zip(entries, outcomes) {
                if let error {
                    xml.element("Error") {
                        $0.element("Key", entry.value("Key") ?? "")
                        $0.element("Code", error.code)
                        $0.element("Message", error.message)
                    }
                } else if !quiet {
                    xml.element("Deleted") { $0.element("Key", entry.value("Key")) }
                }
            }
        }
        return xmlResponse(xml)
    }

    private func delete(_ entry: PlainElement, _ call: Call) async -> S3Error? {
        do {
            guard let name = entry.value("Key") else { throw S3Error.malformedXML }
            let key = try call.allowed(.deleteObject, name)
            try await delete(key, WriteConditions.delete(entry))
            return nil
        } catch let error as S3Error {
            return error
        } catch let error as ObjectStoreError {
            return S3Error(error)
        } catch {
            return .internalError
        }
    }
}
