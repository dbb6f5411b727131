import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting

/// Requests with a value of a length or size; each returns whether the server accepts it.
struct LimitProbes {
    let service: TestService
    let http: HTTPExchange
    let bob: SignedIn

    typealias Probe = (Int) async throws -> Bool

    var byLimit: [String: Probe] {
        let name: Probe = { try await signsUp(device: ["name": text($0)]) }
        let platform: Probe = { try await signsUp(device: ["platform": text($0)]) }
        let code: Probe = { try await signsUp(["authorizationCode": String(repeating: "a", count: $0)]) }
        let photo: Probe = { try await uploads(["size": $0, "kind": "photo"]) }
        let thumbnail: Probe = { try await uploads(["size": $0, "kind": "thumbnail", "photo": md5(1)]) }
        let preview: Probe = { try await uploads(["size": $0, "kind": "preview", "photo": md5(1)]) }
        let batch: Probe = { try await sends(.post, "/uploads/batch", ["uploads": Array(0..<$0).map { upload($0) }]) }
        let lifetime: Probe = { try await sends(.post, "/uploads/batch", ["uploads": [upload(1)], "lifetime": $0]) }
        let photos: Probe = { try await sends(.post, "/photos", ["photos": Array(0..<$0).map { newPhoto($0) }]) }
        let history = "GET /users/{serviceUserID}/audit"
        let token = "photolala"
        var all: [String: Probe] = [
            "DeviceDescription.name minLength": name, "DeviceDescription.name maxLength": name,
            "DeviceDescription.platform minLength": platform, "DeviceDescription.platform maxLength": platform,
            "DeviceDescription.model maxLength": { try await signsUp(device: ["model": text($0)]) },
            "AuthorizationCode minLength": code, "AuthorizationCode maxLength": code,
            "FullName maxLength": { try await signsUp(["fullName": text($0)]) },
            "PhotoUpload.size minimum": photo, "PhotoUpload.size maximum": photo,
            "ThumbnailUpload.size minimum": thumbnail, "ThumbnailUpload.size maximum": thumbnail,
            "PreviewUpload.size minimum": preview, "PreviewUpload.size maximum": preview,
            "PhotoUpload.contentType maxLength": {
                try await uploads([
                    "size": 1, "kind": "photo", "contentType": "image/\(String(repeating: "a", count: $0 - 6))",
                ])
            },
            "NewPhotos.photos minItems": photos, "NewPhotos.photos maxItems": photos,
            "GET /photos from minimum": { try await sends(.get, "/photos?from=\($0)", nil) },
            "GET /photos limit minimum": { try await sends(.get, "/photos?limit=\($0)", nil) },
            "GET /photos limit maximum": { try await sends(.get, "/photos?limit=\($0)", nil) },
            "UploadRequests.uploads minItems": batch, "UploadRequests.uploads maxItems": batch,
            "UploadRequests.lifetime minimum": lifetime, "UploadRequests.lifetime maximum": lifetime,
            "Profile.displayName maxLength": { try await writes(["displayName": text($0)]) },
            "Profile.picture maxLength": {
                try await writes(["picture": "https://a.example/\(String(repeating: "a", count: $0 - 18))"])
            },
            "Profile.preferences maxProperties": { try await writes(["preferences": members($0, true)]) },
            "Profile.preferences.* minimum": { try await writes(["preferences": ["number": $0]]) },
            "Profile.preferences.* maximum": { try await writes(["preferences": ["number": $0]]) },
            "Profile.preferenceChanges maxProperties": {
                try await writes(["preferenceChanges": members($0, "1@a")])
            },
            "Profile.preferenceChanges.* maxLength": { try await writes(["preferenceChanges": ["name": text($0)]]) },
            "\(history) limit minimum": { try await reads("limit=\($0)") },
            "\(history) limit maximum": { try await reads("limit=\($0)") },
            "\(history) before minimum": { try await reads("before=\($0)") },
            "DeviceAuthorizationRequest.device_name maxLength": {
                try await posts("/device_authorization", ["client_id": token, "device_name": text($0)])
            },
            "DeviceAuthorizationRequest.device_platform maxLength": {
                try await posts("/device_authorization", ["client_id": token, "device_platform": text($0)])
            },
            "DeviceAuthorizationRequest.client_id minLength": {
                try await posts("/device_authorization", ["client_id": $0 == 0 ? "" : token])
            },
        ]
        for name in ["token", "client_id"] {
            all["RevocationRequest.\(name) minLength"] = {
                var form = ["token": token, "client_id": token]
                if $0 == 0 { form[name] = "" }
                return try await posts("/revoke", form)
            }
        }
        let grants = [
            ("CodeGrant", "authorization_code", ["code", "redirect_uri", "code_verifier", "client_id"]),
            ("RefreshGrant", "refresh_token", ["refresh_token", "client_id"]),
            ("DeviceGrant", "urn:ietf:params:oauth:grant-type:device_code", ["device_code", "client_id"]),
        ]
        for (schema, grant, names) in grants {
            for name in names {
                all["\(schema).\(name) minLength"] = {
                    var form = Dictionary(uniqueKeysWithValues: names.map { ($0, token) })
                    form["grant_type"] = grant
                    if $0 == 0 { form[name] = "" }
                    return try await posts("/token", form)
                }
            }
        }
        return all
    }

    /// A letter that takes two bytes: lengths are in Unicode scalars.
    private func text(_ length: Int) -> String { String(repeating: "é", count: length) }
    private func md5(_ number: Int) -> String { String(format: "%032x", number) }
    private func members(_ count: Int, _ value: any Sendable) -> [String: any Sendable] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", value) })
    }
    private func upload(_ number: Int) -> [String: any Sendable] { ["md5": md5(number), "size": 1, "kind": "photo"] }

    private func newPhoto(_ number: Int) -> [String: any Sendable] {
        ["path": "\(number).jpg", "md5": md5(number), "modifiedAt": "2026-11-21T05:03:50Z"]
    }

    private func signsUp(
        _ members: [String: any Sendable] = [:], device: [String: any Sendable] = [:]
    ) async throws -> Bool {
        let id = UUID().uuidString.lowercased()
        let all: [String: any Sendable] = ["id": id, "name": "device", "platform": "test"].merging(device) { $1 }
        let body: [String: any Sendable] = [
            "provider": "apple", "idToken": try service.token(.apple, id), "device": all,
        ]
        return try await sends(.post, "/auth/signup", body.merging(members) { $1 })
    }

    private func uploads(_ members: [String: any Sendable]) async throws -> Bool {
        try await sends(.post, "/uploads", ["md5": md5(1)].merging(members) { $1 })
    }

    private func writes(_ profile: [String: any Sendable]) async throws -> Bool {
        try await sends(.put, "/users/\(bob.user.serviceUserID)/profile", profile)
    }

    private func reads(_ query: String) async throws -> Bool {
        try await sends(.get, "/users/\(bob.user.serviceUserID)/audit?\(query)", nil)
    }

    private func posts(_ path: String, _ form: [String: String]) async throws -> Bool {
        let text = form.map { "\($0)=\($1)" }.joined(separator: "&")
        let response = try await http.client.execute(
            uri: path, method: .post, headers: [.contentType: "application/x-www-form-urlencoded"],
            body: .init(string: text))
        guard response.body.readableBytes > 0 else { return response.status == .ok }
        let error = try DocumentValue(json: Data(response.body.readableBytesView))["error"]?.string
        return error.map { !["invalid_request", "invalid_client"].contains($0) } ?? true
    }

    /// Returns whether a request is valid: another refusal, such as for its size, is no problem of its form.
    private func sends(_ method: HTTPRequest.Method, _ path: String, _ body: [String: any Sendable]?) async throws
        -> Bool
    {
        let json = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let response = try await http.send(method, path, json: json, token: bob.session.accessToken)
        return response.status != .badRequest
    }
}
