import Foundation
import PhotolalaClient

/// The requirements of `PhotoSource`, as cases that every implementation must pass.
///
///     @Test(arguments: PhotoSourceConformance.cases)
///     func conforms(_ requirement: PhotoSourceConformance.Case) async throws {
///         try await requirement.check(source, has: ["asset": ["resource": bytes]])
///     }
package enum PhotoSourceConformance {
    package struct Case: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        package let description: String
        private let body: @Sendable (any PhotoSource, Contents) async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable (any PhotoSource, Contents) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// - Parameter contents: The bytes of all resources of the source, which does not change.
        package func check(_ source: any PhotoSource, has contents: Contents) async throws {
            try await body(source, contents)
        }
    }

    /// The bytes of each resource by asset and resource ID.
    package typealias Contents = [String: [String: [UInt8]]]

    package static let cases = [
        Case("each asset is listed once, with all its resources") { source, contents in
            let all = try await list(source)
            try require(all.map(\.id).sorted() == contents.keys.sorted(), "listed \(all.map(\.id).sorted())")
            for asset in all {
                let resources = asset.resources.map(\.id).sorted()
                try require(resources == contents[asset.id]?.keys.sorted(), "\(asset.id) has \(resources)")
                try require(asset.resources.allSatisfy { !$0.name.isEmpty }, "\(asset.id) has a resource without name")
            }
        },
        Case("assets are returned by ID as they are listed, and unknown ones are left out") { source, contents in
            let all = try await list(source)
            let found = try await source.assets(withIDs: all.map(\.id) + ["no such asset"])
            try require(found.sorted { $0.id < $1.id } == all.sorted { $0.id < $1.id }, "found \(found.map(\.id))")
        },
        Case("each resource has its bytes, at each read") { source, contents in
            for (asset, resources) in contents {
                for (resource, bytes) in resources {
                    for _ in 1...2 {
                        let read = try await read(source, resource, asset)
                        try require(read == bytes, "\(asset)/\(resource) has \(read.count) bytes")
                    }
                }
            }
        },
        Case("a size, if it is known, is exact") { source, contents in
            for asset in try await list(source) {
                for resource in asset.resources {
                    let count = contents[asset.id]?[resource.id]?.count ?? 0
                    try require(resource.size ?? Int64(count) == Int64(count), "\(resource.id): \(resource.size ?? 0)")
                }
            }
        },
        Case("an unknown asset and an unknown resource are missing") { source, contents in
            try await requireMissing(source, "photo", "no such asset")
            guard let asset = contents.keys.first else { return }
            try await requireMissing(source, "no such resource", asset)
        },
        Case("nothing has changed since the current token") { source, _ in
            guard let token = try await source.changeToken() else { return }
            try require(try await source.changes(since: token) == PhotoChanges(), "changes without a change")
        },
        Case("the changes since an unknown token are unknown") { source, _ in
            try require(try await source.changes(since: Data("no token".utf8)) == nil, "changes since no token")
        },
    ]

    private static func list(_ source: any PhotoSource) async throws -> [PhotoAsset] {
        var all: [PhotoAsset] = []
        for try await batch in source.assets() { all += batch }
        return all
    }

    private static func read(_ source: any PhotoSource, _ resource: String, _ asset: String) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in source.data(of: resource, in: asset, isDownloadAllowed: true, onDownload: { _ in }) {
            bytes += chunk
        }
        return bytes
    }

    private static func requireMissing(_ source: any PhotoSource, _ resource: String, _ asset: String) async throws {
        do {
            _ = try await read(source, resource, asset)
        } catch PhotoSourceError.missing {
            return
        }
        throw ConformanceFailure("\(asset)/\(resource) is not missing")
    }
}
