import HTTPTypes
import Hummingbird
import ObjectStorage
import PlainXML

extension BucketOperations {
    func putObject(_ call: Call) async throws -> Response {
        let key = try call.key(for: .putObject)
        let condition = try WriteConditions.put(call.request.headers)
        var attributes = try ObjectHeaders.attributes(call.request.headers)
        let body = try call.body(limit: settings.maxBodySize)
        if let checksum = body.declared.checksum { attributes[checksum.algorithm.headerName] = checksum.value }
        do {
            let info = try await within(limitOf: call, size: body.declared.size, attributes, at: key) { quota in
                try await write(key, body, attributes: attributes, if: condition, within: quota)
            }
            return written(info.etag, body)
        } catch {
            throw try await explained(error, key, condition)
        }
    }

    /// The answer to an object or a part that was written.
    func written(_ etag: ETag, _ body: VerifiedBody) -> Response {
        var headers: HTTPFields = [.eTag: "\"\(etag)\""]
        if let checksum = body.outcome.checksum { headers[checksum.algorithm.field] = checksum.value }
        return Response(status: .ok, headers: headers)
    }

    func deleteObject(_ call: Call) async throws -> Response {
        let key = try call.key(for: .deleteObject)
        let condition = try WriteConditions.delete(call.request.headers)
        do {
            try await store.delete(key, if: condition)
        } catch ObjectStoreError.preconditionFailed {
            throw try await store.head(key) == nil ? S3Error.noSuchKey : .preconditionFailed
        }
        return Response(status: .noContent)
    }

    /// DeleteObjects: every key has its own outcome, and its own answer from the policy.
    func deleteObjects(_ call: Call) async throws -> Response {
        let document = try await call.document()
        let entries = document.children.filter { $0.name == "Object" }
        guard document.name == "Delete", (1...1000).contains(entries.count) else { throw S3Error.malformedXML }
        let quiet = document.value("Quiet") == "true"
        let outcomes = await withTaskGroup(of: (Int, S3Error?).self) { group in
            var outcomes = [S3Error?](repeating: nil, count: entries.count)
            for (index, entry) in entries.enumerated() {
                // A few at a time, so that the store can put them into one commit and no caller takes it all.
                if index >= 16, let (done, error) = await group.next() { outcomes[done] = error }
                group.addTask { (index, await delete(entry, call)) }
            }
            for await (done, error) in group { outcomes[done] = error }
            return outcomes
        }
        var xml = XMLText()
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
        return answer(xml)
    }

    private func delete(_ entry: PlainElement, _ call: Call) async -> S3Error? {
        do {
            guard let name = entry.value("Key") else { throw S3Error.malformedXML }
            let key = try call.allowed(.deleteObject, name)
            try await store.delete(key, if: WriteConditions.delete(entry))
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
