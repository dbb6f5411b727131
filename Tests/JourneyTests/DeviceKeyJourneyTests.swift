import Foundation
import PhotolalaTesting
import Testing

/// Devices with a key, at real servers: with the shipped command line, and with a client made of third-party libraries
/// (Python's urllib, and joserfc for keys and signatures).
@Suite(.serialized) struct DeviceKeyJourneyTests {
    @Test("the shipped command line binds its sessions and shows it")
    func commandLine() async throws {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(data: folder.appendingPathComponent("data"), transport: transport)
            let address = server.address.replacingOccurrences(of: "127.0.0.1", with: "localhost")
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: address)
            let signUp = try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob")
            #expect(signUp.status == 0, "\(signUp.errors)")
            for _ in 0..<2 {
                let devices = try await laptop.run("devices", "--json").json()["devices"] as? [[String: Any]]
                #expect(devices?.compactMap { $0["isBound"] as? Bool } == [true])
            }
            #expect(try await laptop.run("reauthenticate", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await laptop.run("link", "--provider", "google", "--dev-user", "bob").status == 0)
            #expect(try await laptop.run("credentials", "--json").json()["access"] as? String == "readWrite")
            let stolen = folder.appendingPathComponent("stolen")
            let thief = CommandLineDevice(profile: stolen, server: address)
            #expect(try await thief.run("whoami").status == 3)
            #expect(try await laptop.run("signout").status == 0)
            #expect(try await laptop.run("whoami").status == 3)
            #expect(server.stop() == 0)
        }
    }

    @Test(
        "a third-party client binds, refreshes and calls, and every instance rejects a thief's attempts",
        .enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
    func independentClient() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let one = try await ServerProcess(data: data, transport: transport)
            let two = try await ServerProcess(data: data, transport: transport, publicURL: one.address)
            let run = try await PythonClient.run(Self.script, ["ONE": one.address, "TWO": two.address], in: folder)
            #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
            #expect(two.stop() == 0 && one.stop() == 0)
        }
    }

    private static let script = """
        import base64, hashlib, json, os, time, urllib.error, urllib.request, uuid
        from joserfc import jws, jwt
        from joserfc.jwk import ECKey, KeySet
        ONE, TWO = os.environ['ONE'], os.environ['TWO']
        nonce = None

        def proof(key, method, path, token=None, server=ONE, **other):
            claims = {'jti': str(uuid.uuid4()), 'htm': method, 'htu': server + path, 'iat': int(time.time()) - 86400}
            if nonce: claims['nonce'] = nonce
            if token:
                digest = hashlib.sha256(token.encode()).digest()
                claims['ath'] = base64.urlsafe_b64encode(digest).rstrip(b'=').decode()
            header = {'typ': 'dpop+jwt', 'alg': 'ES256', 'jwk': key.as_dict(private=False)}
            return jws.serialize_compact(header, json.dumps({**claims, **other}), key)

        def call(method, path, body=None, token=None, proof=None, server=ONE, scheme='DPoP'):
            global nonce
            headers = {}
            if body is not None: headers['Content-Type'] = 'application/json'
            if token: headers['Authorization'] = f'{scheme} {token}'
            if proof: headers['DPoP'] = proof
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(server + path, data=data, headers=headers, method=method)
            try: answer = urllib.request.urlopen(request)
            except urllib.error.HTTPError as error: answer = error
            nonce = answer.headers.get('DPoP-Nonce') or nonce
            text = answer.read()
            return answer.status, json.loads(text) if text else None, answer.headers

        def refused(code, *arguments, **named):
            status, problem, headers = call(*arguments, **named)
            assert (status, problem['code']) == (401, code), (status, problem)
            return headers['WWW-Authenticate']

        key, thief = ECKey.generate_key('P-256'), ECKey.generate_key('P-256')
        token = call('POST', '/dev/providers/apple/token', {'subject': 'bob'})[1]['idToken']
        body = {'provider': 'apple', 'idToken': token,
                'device': {'id': str(uuid.uuid4()), 'name': 'Python', 'platform': 'python'}}
        challenge = refused('use_dpop_nonce', 'POST', '/auth/signup', body, proof=proof(key, 'POST', '/auth/signup'))
        assert challenge == 'DPoP error="use_dpop_nonce", algs="ES256"', challenge
        status, signed, _ = call('POST', '/auth/signup', body, proof=proof(key, 'POST', '/auth/signup'))
        assert status == 201, signed
        session = signed['session']
        access, refresh = session['accessToken'], {'refreshToken': session['refreshToken']}
        assert session['tokenType'] == 'DPoP'

        # Another service checks an access token by our public keys, and finds the key in it.
        keys = KeySet.import_key_set(call('GET', '/.well-known/jwks.json')[1])
        assert jwt.decode(access, keys, algorithms=['ES256']).claims['cnf'] == {'jkt': key.thumbprint()}

        path = '/auth/devices'
        for server in [ONE, TWO]:
            status, devices, _ = call('GET', path, token=access, proof=proof(key, 'GET', path, access), server=server)
            assert status == 200 and [d['isBound'] for d in devices['devices']] == [True]
            status, answer, _ = call(
                'POST', '/auth/refresh', refresh, proof=proof(key, 'POST', '/auth/refresh'), server=server)
            assert status == 200 and answer['session']['refreshToken'] == session['refreshToken']

        # A thief has the tokens.
        for server in [ONE, TWO]:
            refused('unauthorized', 'GET', path, token=access, scheme='Bearer', server=server)
            refused('unauthorized', 'GET', path, token=access, proof=proof(thief, 'GET', path, access), server=server)
            refused('invalid_dpop_proof', 'POST', '/auth/refresh', refresh, server=server)
            refused('invalid_dpop_proof', 'POST', '/auth/refresh', refresh,
                    proof=proof(thief, 'POST', '/auth/refresh'), server=server)
            refused('invalid_dpop_proof', 'POST', '/auth/signout', refresh, server=server)

        # A thief has recorded proofs too.
        for first, second in [(ONE, TWO), (TWO, ONE)]:
            used = proof(key, 'POST', '/auth/credentials', access)
            assert call('POST', '/auth/credentials', token=access, proof=used, server=first)[0] == 200
            for server in [first, second]:
                refused('invalid_dpop_proof', 'POST', '/auth/credentials', token=access, proof=used, server=server)
            read = proof(key, 'GET', path, access)
            assert call('GET', path, token=access, proof=read, server=first)[0] == 200
            refused('invalid_dpop_proof', 'GET', path, token=access, proof=read, server=first)
            refused('invalid_dpop_proof', 'GET', path, token=access,
                    proof=proof(key, 'POST', '/auth/credentials', access), server=first)

        # The address of one copy is not that of the service.
        refused('invalid_dpop_proof', 'GET', path, token=access,
                proof=proof(key, 'GET', path, access, server=TWO), server=TWO)
        refused('use_dpop_nonce', 'GET', path, token=access,
                proof=proof(key, 'GET', path, access, nonce='AAAA.AAAA'))
        assert call('POST', '/auth/refresh', refresh, proof=proof(key, 'POST', '/auth/refresh'))[0] == 200
        assert call('POST', '/auth/signout', refresh, proof=proof(key, 'POST', '/auth/signout'))[0] == 204
        refused('session_ended', 'POST', '/auth/refresh', refresh, proof=proof(key, 'POST', '/auth/refresh'))
        print('DONE')
        """
}
